#if Macros
    import DataMonk
    import Testing

    @Suite struct `Delete rules of batch requests` {
        private func delete(_ name: String, _ context: ManagedObjectContext) throws -> Int {
            try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: name))).count
        }

        @Test(arguments: StoreKind.allCases) func `cascade goes on to its end`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let steps = try (0..<3).map { _ in try context.insert(Office.Step.self) }
            (steps[0].next, steps[1].next) = (steps[1], steps[2])
            try context.save()
            #expect(try context.execute(BatchDeleteRequest(objectIDs: [steps[1].anyObjectID])).count == 3)
            #expect(try office.newContext().all(Office.Step.self).isEmpty)
        }

        @Test(arguments: StoreKind.allCases)
        func `deny refuses, and is lifted where the destination goes along`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let company = try context.insert(Office.Company.self)
            let project = try context.insert(Office.Project.self)
            let kitchen = try context.department("kitchen")
            (project.department, kitchen.company) = (kitchen, company)
            try context.save()
            let error = try #require(throws: SaveError.self) { try delete("Company", context) }
            #expect(error.code == .relationshipDeniedDelete)
            #expect(try office.newContext().all(Office.Department.self).count == 1)
            #expect(try delete("Project", context) == 1)
            #expect(try delete("Company", context) == 2)
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
        }

        @Test(arguments: StoreKind.allCases)
        func `nullify empties to-ones, of sub-entities' objects too`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let castle = try context.insert(Office.Castle.self)
            let tower = try context.insert(Office.Tower.self)
            for each in [castle, tower] {
                each.floors = Set(try (0..<2).map { _ in try context.insert(Office.Floor.self) })
            }
            castle.gates = [try context.insert(Office.Gate.self)]
            try context.save()
            #expect(try delete("Castle", context) == 1)
            let left = office.newContext()
            #expect(try left.all(Office.Gate.self).map { $0.castle == nil } == [true])
            #expect(try left.all(Office.Floor.self).count { $0.tower == nil } == 2)
        }

        @Test(arguments: StoreKind.allCases)
        func `nullify refuses to empty a mandatory to-one`(kind: StoreKind) throws {
            let registry = try RegistryStage(kind)
            let context = registry.newContext()
            let desk = try context.insert(registry.entity("Desk"))
            let drawer = try context.insert(registry.entity("Drawer"))
            try drawer.setValue(.object(desk.anyObjectID), forKey: "desk")
            try context.save()
            let error = try #require(throws: SaveError.self) { try delete("Desk", context) }
            #expect(error.code == .missingMandatoryProperty)
            #expect(try registry.newContext().count(FetchRequest(entityName: "Desk")) == 1)
            #expect(try delete("Drawer", context) == 1)
            #expect(try delete("Desk", context) == 1)
        }

        @Test(arguments: StoreKind.allCases)
        func `links without an inverse and of a many-to-many go along`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (kitchen, monk) = (try context.department("kitchen"), try context.employee("Monk"))
            let skill = try context.insert(Office.Skill.self)
            (monk.skills, kitchen.guests) = ([skill], [monk])
            try context.save()
            #expect(try delete("Employee", context) == 1)
            context.mergeCommits()
            #expect(skill.employees.isEmpty && kitchen.guests.isEmpty && monk.isDeleted)
        }

        @Test(arguments: StoreKind.allCases)
        func `ids of objects that are gone are passed over`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let ids = try ["a", "b"].map { try context.employee($0) }
            try context.save()
            let request = BatchDeleteRequest(objectIDs: ids.map(\.anyObjectID))
            #expect(try context.execute(BatchDeleteRequest(objectIDs: [ids[0].anyObjectID])).count == 1)
            #expect(try context.execute(request).count == 1)
            #expect(try context.execute(request).count == 0)
        }

        @Test(arguments: StoreKind.allCases) func `order and limit of the fetch count`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            for name in ["c", "a", "b"] { _ = try context.employee(name) }
            try context.save()
            var oldest = FetchRequest(entityName: "Employee")
            (oldest.sortTerms, oldest.fetchLimit) = ([SortTerm("name")], 2)
            try context.execute(BatchDeleteRequest(fetchRequest: oldest))
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["c"])
        }
    }
#endif
