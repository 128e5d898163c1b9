#if Macros
    import DataMonk
    import Testing

    @Suite struct `Batch requests` {
        private func update(_ properties: [String: ConditionExpression], _ context: ManagedObjectContext) throws {
            try context.execute(BatchUpdateRequest(entityName: "Employee", propertiesToUpdate: properties))
        }

        // MARK: Contexts

        @Test(arguments: StoreKind.allCases)
        func `contexts that follow take a batch over when they advance`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let (follower, other) = (office.newContext(), office.newContext(followsCommits: false))
            let (writer, department) = (office.newContext(), try follower.department("kitchen"))
            for name in ["a", "b"] { try follower.employee(name).department = department }
            try follower.save()
            let held = department.employees.sorted { $0.name < $1.name }
            let stale = try other.all(Office.Employee.self)
            #expect(stale.map(\.age) == [0, 0] && held.map(\.age) == [0, 0])
            try update(["age": 7], writer)
            let doomed = FetchRequest(entityName: "Employee", condition: .compare("name", .equal, "b"))
            try writer.execute(BatchDeleteRequest(fetchRequest: doomed))
            follower.mergeCommits()
            #expect(held[0].age == 7 && held[1].isDeleted && department.employees == [held[0]])
            #expect(stale.map(\.age) == [0, 0])
            try follower.checkInvariants()
            try office.stack.coordinator.checkInvariants()
        }

        @Test(arguments: StoreKind.allCases)
        func `unsaved changes stay out of a batch and meet it as a conflict`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            monk.note = "mine"
            try update(["note": "theirs"], context)
            #expect(monk.note == "mine")
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .mergeConflict)
        }

        @Test(arguments: StoreKind.allCases)
        func `more objects than are worth a list make everything be read again`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            var number = 0
            let request = BatchInsertRequest(Office.Employee.self) { employee in
                number += 1
                employee.name = "\(number)"
                return number > 10_001
            }
            #expect(try context.execute(request).count == 10_001)
            var first = FetchRequest(entityName: "Employee")
            first.fetchLimit = 1
            let employee = try #require(try context.fetch(first).first as? Office.Employee)
            #expect(employee.name == "1" && employee.age == 0)
            try update(["age": 1], office.newContext())
            context.mergeCommits()
            #expect(employee.age == 1)
            try office.stack.coordinator.checkInvariants()
        }

        @Test(arguments: StoreKind.allCases)
        func `a child's batch goes to the store`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let parent = office.newContext()
            let child = ManagedObjectContext(parent: parent)
            try child.execute(BatchInsertRequest(entityName: "Employee", objects: [["name": "Monk"]]))
            #expect(!parent.hasChanges)
            #expect(try office.newContext().all(Office.Employee.self).count == 1)
            #expect(try child.all(Office.Employee.self).map(\.name) == ["Monk"])
        }

        // MARK: Refusals

        @Test(arguments: StoreKind.allCases)
        func `what means nothing is refused before the store is asked`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            func refusal(_ properties: [String: ConditionExpression]) -> FetchError.Code? {
                #expect(throws: FetchError.self) { try update(properties, context) }.map(\.code)
            }
            #expect(refusal([:]) == .invalidRequest)
            #expect(refusal(["nmae": "x"]) == .unknownKey)
            #expect(refusal(["age": "x"]) == .typeMismatch)
            #expect(refusal(["age": .keyPath("name")]) == .typeMismatch)
            #expect(refusal(["age": .keyPath("age") * 1.5]) == .typeMismatch)
            #expect(refusal(["friends": nil]) == .typeMismatch)
            #expect(refusal(["department": .keyPath("manager")]) == .typeMismatch)
            let badge = try context.insert(Office.Badge.self)
            try context.save()
            #expect(refusal(["badge": .value(.object(badge.anyObjectID))]) == .invalidRequest)
            #expect(throws: ModelError.self) { try context.execute(BatchInsertRequest(OtherObject.self) { _ in true }) }
        }

        @Test(arguments: StoreKind.allCases)
        func `what is worked out and does not fit takes the whole update back`(kind: StoreKind) throws {
            let registry = try RegistryStage(kind)
            let context = registry.newContext()
            try context.execute(
                BatchInsertRequest(entityName: "Ticket", objects: [["number": 1], ["number": 30_000]]))
            #expect(throws: FetchError.self) {
                try context.execute(
                    BatchUpdateRequest(
                        entityName: "Ticket", propertiesToUpdate: ["number": .keyPath("number") + 10_000]))
            }
            let error = try #require(throws: SaveError.self) {
                try context.execute(
                    BatchUpdateRequest(entityName: "Ticket", propertiesToUpdate: ["rank": .keyPath("number") + 1]))
            }
            #expect(error.code == .numberTooLarge)
            #expect(try registry.values("number", "Ticket") == [1, 30_000])
            #expect(try registry.values("rank", "Ticket") == [0, 0])
            try context.execute(BatchInsertRequest(entityName: "Ticket", objects: [["rank": 9]]))
            #expect(throws: SaveError.self) {
                try context.execute(BatchInsertRequest(entityName: "Ticket", objects: [["rank": 11]]))
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `a handler that throws takes the insertion back`(kind: StoreKind) throws {
            struct Enough: Error {}
            let office = try OfficeStack(kind)
            var number = 0
            let request = BatchInsertRequest(entityName: "Employee") { _ in
                number += 1
                if number == 2_500 { throw Enough() }
                return false
            }
            #expect(throws: Enough.self) { try office.newContext().execute(request) }
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
            // The queue is free again.
            let context = office.newContext()
            _ = try context.employee("Monk")
            try context.save()
        }

        // MARK: Values

        @Test(arguments: StoreKind.allCases)
        func `what is derived from the object's own values follows a batch`(kind: StoreKind) throws {
            let registry = try RegistryStage(kind)
            let context = registry.newContext()
            try context.execute(BatchInsertRequest(entityName: "Ticket", objects: [["title": "Ünï"]]))
            #expect(try registry.values("folded", "Ticket") == ["uni"])
            try context.execute(BatchUpdateRequest(entityName: "Ticket", propertiesToUpdate: ["title": "ÉCOLE"]))
            #expect(try registry.values("folded", "Ticket") == ["ecole"])
            try context.execute(
                BatchUpdateRequest(
                    entityName: "Ticket", propertiesToUpdate: ["title": .function(.lowercase, [.keyPath("title")])]))
            #expect(try registry.values("folded", "Ticket") == ["ecole"])
            #expect(try registry.values("title", "Ticket") == ["école"])
        }

        @Test(arguments: StoreKind.allCases)
        func `what is derived from others follows a batch`(kind: StoreKind) throws {
            let registry = try RegistryStage(kind)
            let context = registry.newContext()
            let desk = try context.insert(registry.entity("Desk"))
            try context.save()
            try context.execute(
                BatchInsertRequest(
                    entityName: "Ticket",
                    objects: [["desk": .object(desk.anyObjectID)], ["desk": .object(desk.anyObjectID), "number": 2]]))
            context.mergeCommits()
            #expect(try desk.value(forKey: "ticketCount") == 2)
            let doomed = FetchRequest(entityName: "Ticket", condition: .compare("number", .equal, 2))
            try context.execute(BatchDeleteRequest(fetchRequest: doomed))
            context.mergeCommits()
            #expect(try desk.value(forKey: "ticketCount") == 1)
            try context.execute(BatchUpdateRequest(entityName: "Ticket", propertiesToUpdate: ["desk": nil]))
            context.mergeCommits()
            #expect(try desk.value(forKey: "ticketCount") == 0)
            #expect(try desk.objects(forKey: "tickets").isEmpty)
        }

        @Test(arguments: StoreKind.allCases)
        func `a to-one is set by id, and the other side shows it`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (kitchen, monk) = (try context.department("kitchen"), try context.employee("Monk"))
            try context.save()
            #expect(kitchen.employees.isEmpty)
            try update(["department": .value(.object(kitchen.anyObjectID))], context)
            context.mergeCommits()
            #expect(kitchen.employees == [monk] && monk.department == kitchen)
        }
    }

    /// Of no model.
    @Entity final class OtherObject: ManagedObject {
        var name: String = ""
    }
#endif
