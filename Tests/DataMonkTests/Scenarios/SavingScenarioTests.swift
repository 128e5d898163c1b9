#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to do at a save, and how it refuses one.
    @Suite struct `Scenarios of saving` {
        @Test(.scenario("scn/save/001"), arguments: StoreKind.allCases)
        func `a child's save reaches its parent, the root's save the store`(kind: StoreKind) throws {
            let family = try Family(kind, depth: 2)
            _ = try family.child.employee("Monk")
            try family.child.save()
            #expect(family.contexts[1].insertedObjects.count == 1 && family.root.insertedObjects.isEmpty)
            try family.contexts[1].save()
            #expect(try family.stored(Office.Employee.self).isEmpty)
            try family.root.save()
            #expect(try family.stored(Office.Employee.self).count == 1)
        }

        @Test(.scenario("scn/save/004"), arguments: StoreKind.allCases)
        func `a save without changes succeeds, and reaches the store with what waits for it`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let (context, coordinator) = (office.newContext(), office.stack.coordinator)
            let url = coordinator.stores[0].url
            try context.save()
            try coordinator.setMetadata(["owner": "Monk"], ofStoreAt: url)
            #expect(try coordinator.stores[0].metadata()["owner"] == nil)
            try context.save()
            #expect(try coordinator.stores[0].metadata()["owner"] == "Monk" && !context.hasChanges)
        }

        @Test(.scenario("scn/save/010"), arguments: StoreKind.allCases)
        func `what failed validation saves when it is mended`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let project = try context.insert(Office.Project.self)
            #expect(throws: SaveError.self) { try context.save() }
            #expect(context.insertedObjects == [project])
            project.department = try context.department("kitchen")
            try context.save()
            #expect(try office.newContext().own(project).department?.name == "kitchen")
        }

        @Test(.scenario("scn/validation/001"), arguments: StoreKind.allCases)
        func `a mandatory property without a value is 1570, with its key and object`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let project = try context.insert(Office.Project.self)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code.rawValue == 1570)
            #expect(error.validationProblems.map(\.key) == ["department"])
            #expect(error.validationProblems.map(\.objectID) == [project.anyObjectID])
        }

        @Test(.scenario("scn/validation/005"), arguments: StoreKind.allCases)
        func `a to-many above its greatest count is 1590`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let tower = try context.insert(Office.Tower.self)
            tower.floors = Set(try (0..<4).map { _ in try context.insert(Office.Floor.self) })
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code.rawValue == 1590 && error.validationProblems.map(\.key) == ["floors"])
        }

        @Test(.scenario("scn/validation/006"), arguments: StoreKind.allCases)
        func `deny is 1600 while a destination lives, and is lifted when it goes along`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let kitchen = try context.department("kitchen")
            let project = try context.insert(Office.Project.self)
            project.department = kitchen
            try context.save()
            context.delete(kitchen)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code.rawValue == 1600)
            context.delete(project)
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
        }

        @Test(.scenario("scn/merge/002"), arguments: StoreKind.allCases)
        func `store trump takes the contested key from the store and writes the other`(kind: StoreKind) throws {
            #expect(
                try conflict(.mergeByPropertyStoreTrump, kind, mine: ("mine", 3), theirs: ("theirs", nil)) == [
                    "theirs", "3",
                ])
        }

        @Test(.scenario("scn/merge/004"), arguments: StoreKind.allCases)
        func `overwrite writes the whole object, stale values too`(kind: StoreKind) throws {
            #expect(try conflict(.overwrite, kind, mine: ("mine", nil), theirs: ("theirs", 7)) == ["mine", "0"])
        }

        @Test(.scenario("scn/merge/005"), arguments: StoreKind.allCases)
        func `rollback drops the local change and saves`(kind: StoreKind) throws {
            #expect(try conflict(.rollback, kind, mine: ("mine", nil), theirs: ("theirs", nil)) == ["theirs", "0"])
        }

        /// Two contexts change an employee; the second saves last.
        ///
        /// - Returns: the name and age that are stored then, which are those that the second context has.
        private func conflict(
            _ policy: MergePolicy, _ kind: StoreKind, mine: (String, Int?), theirs: (String, Int?)
        ) throws -> [String] {
            let office = try OfficeStack(kind)
            let (first, second) = (office.newContext(), office.newContext(policy))
            let their = try first.employee("Monk")
            try first.save()
            let my = try second.own(their)
            for (employee, (name, age)) in [(my, mine), (their, theirs)] {
                employee.name = name
                if let age { employee.age = age }
            }
            try first.save()
            try second.save()
            #expect(!my.hasChanges && !second.hasChanges)
            let stored = try office.newContext().own(my)
            #expect(stored.name == my.name && stored.age == my.age)
            return [stored.name, "\(stored.age)"]
        }

        @Test(.scenario("scn/merge/006"), arguments: StoreKind.allCases)
        func `changes of different objects meet no conflict`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let (first, second) = (office.newContext(), office.newContext())
            let (monk, abbot) = (try first.employee("Monk"), try first.employee("Abbot"))
            try first.save()
            try second.own(abbot).age = 2
            monk.age = 1
            try first.save()
            try second.save()
            let reading = office.newContext()
            #expect(try [reading.own(monk).age, reading.own(abbot).age] == [1, 2])
        }
    }
#endif
