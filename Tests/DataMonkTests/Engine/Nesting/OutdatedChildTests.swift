#if Macros
    import DataMonk
    import Testing

    /// A child saves changes of a row that others have committed since it read it, and that its parent has read anew.
    @Suite struct `A child behind its parent` {
        private let office: OfficeStack
        private let parent: ManagedObjectContext
        private let child: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.memory)
            parent = ManagedObjectContext(
                coordinator: office.stack.coordinator, mergePolicy: .mergeByPropertyObjectTrump)
            child = ManagedObjectContext(parent: parent)
            let first = office.newContext()
            _ = try first.employee("Monk")
            try first.save()
            // The child reads the row in which the age is 0.
            try employee(child).note = "child's"
        }

        private func employee(_ context: ManagedObjectContext) throws -> Office.Employee {
            let employee = try #require(try context.all(Office.Employee.self).first)
            _ = employee.age
            return employee
        }

        private func commit(_ change: (Office.Employee) -> Void) throws {
            let context = office.newContext()
            change(try employee(context))
            try context.save()
        }

        private func stored() throws -> [String] {
            let employee = try employee(office.newContext())
            return ["\(employee.age)", employee.note ?? ""]
        }

        @Test func `keeps what the parent has set back to what the child has read`() throws {
            try commit { $0.age = 5 }
            try employee(parent).age = 0
            try child.save()
            try parent.save()
            #expect(try stored() == ["0", "child's"])
        }

        @Test func `does not make others' commits changes of its own`() throws {
            try commit { $0.age = 5 }
            #expect(try employee(parent).age == 5)
            try child.save()
            parent.endTurn()
            try commit { $0.age = 6 }
            try parent.save()
            #expect(try stored() == ["6", "child's"])
        }

        @Test func `yields to a commit of the same property beside another child that is behind`() throws {
            parent.mergePolicy = .mergeByPropertyStoreTrump
            let second = ManagedObjectContext(parent: parent)
            try employee(second).age = 7
            try commit { $0.age = 5 }
            #expect(try employee(parent).age == 5)
            try child.save()
            try second.save()
            try parent.save()
            #expect(try stored() == ["5", "child's"])
        }

        @Test func `replaces the unsaved value of a parent that has read a newer one`() throws {
            parent.mergePolicy = .mergeByPropertyStoreTrump
            let second = ManagedObjectContext(parent: parent)
            try employee(second).note = "second's"
            try commit { $0.age = 5 }
            #expect(try employee(parent).age == 5)
            try child.save()
            try second.save()
            try parent.save()
            #expect(try stored() == ["5", "second's"])
        }

        @Test func `yields to a later commit after a child that is further behind`() throws {
            parent.mergePolicy = .mergeByPropertyStoreTrump
            try commit { $0.age = 5 }
            #expect(try employee(parent).age == 5)
            let second = ManagedObjectContext(parent: parent)
            try employee(second).age = 7
            try commit { $0.age = 6 }
            #expect(try employee(parent).age == 6)
            try child.save()
            try second.save()
            try parent.save()
            #expect(try stored() == ["6", "child's"])
        }

        @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
        func `saves the value that another child has started from`(policy: MergePolicy) throws {
            parent.mergePolicy = policy
            try employee(child).age = 7
            try commit { $0.age = 5 }
            #expect(try employee(parent).age == 5)
            let second = ManagedObjectContext(parent: parent)
            try employee(second).age = 1
            try child.save()
            try employee(second).age = 0
            try second.save()
            try parent.save()
            #expect(try stored() == ["0", "child's"])
        }

        @Test func `saves a value that the parent has replaced and saved before`() throws {
            try employee(parent).age = 3
            try parent.save()
            try employee(parent).note = "parent's"
            try parent.refreshAllObjects()
            try employee(child).age = 9
            try child.save()
            try employee(child).age = 0
            try child.save()
            try parent.save()
            #expect(try stored()[0] == "0")
        }

        @Test func `leaves nothing of others' commits to the parent's undo`() throws {
            parent.undoManager = ContextUndoManager()
            let second = ManagedObjectContext(parent: parent)
            _ = try employee(second)
            try commit { $0.age = 2 }
            #expect(try employee(parent).age == 2)
            try child.save()
            parent.processPendingChanges()
            try employee(second).age = 3
            try second.save()
            parent.undo()
            #expect(try employee(parent).age == 2)
            try commit { $0.age = 4 }
            try parent.save()
            #expect(try stored() == ["4", "child's"])
        }

        @Test func `yields to a commit of a number that the parent has incremented`() throws {
            parent.mergePolicy = .mergeByPropertyStoreTrump
            try employee(child).age = 7
            try commit { $0.age = 10 }
            let employee = try employee(parent)
            try employee.incrementValue(forKey: "age", by: .int(1))
            try child.save()
            try parent.save()
            #expect(try stored()[0] == "10")
        }

        @Test func `conflicts with a commit of the same property`() throws {
            parent.mergePolicy = .error
            try commit { $0.note = "other's" }
            #expect(try employee(parent).note == "other's")
            try child.save()
            let error = #expect(throws: SaveError.self) { try parent.save() }
            #expect(error?.code == .mergeConflict)
            #expect(try stored() == ["0", "other's"])
        }
    }
#endif
