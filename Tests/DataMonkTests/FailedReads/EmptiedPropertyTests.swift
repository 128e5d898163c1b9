#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// The substitute for what cannot be read is empty. Emptying such a property changes nothing in memory, and is a change
    /// all the same.
    @Suite struct `Emptying a property that cannot be read` {
        private let stage: FailingStage
        private let context: ManagedObjectContext

        init() throws {
            stage = try FailingStage()
            context = stage.newContext()
        }

        private func expectRefusal() throws {
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues && error.failedAccesses.first?.cause is StoreError)
            context.rollback()
            try context.save()
            let reading = stage.newContext()
            let monk = try #require(try reading.all(Office.Employee.self).first)
            #expect(monk.department?.employees == [monk])
        }

        /// The kitchen, whose employees the store will not give the next time.
        private func failingKitchen() throws -> Office.Department {
            try stage.write()
            let kitchen = try #require(try context.all(Office.Department.self).first)
            stage.store.fail(.read)
            return kitchen
        }

        @Test func `is refused for a to-one`() throws {
            try stage.failingEmployee(in: context).department = nil
            try expectRefusal()
        }

        @Test func `is refused for a to-many`() throws {
            try failingKitchen().employees = []
            try expectRefusal()
        }

        @Test func `is refused for a to-many whose members are taken away`() throws {
            try failingKitchen().employees.removeAll()
            try expectRefusal()
        }

        @Test func `is refused for one member`() throws {
            let monk = try stage.failingEmployee(in: context)
            stage.store.heal()
            let kitchen = try #require(try context.all(Office.Department.self).first)
            context.endTurn()
            stage.store.fail(.read)
            kitchen.remove(monk, from: \.employees)
            try expectRefusal()
        }

        @Test func `throws by name`() throws {
            let monk = try stage.failingEmployee(in: context)
            #expect(throws: StoreError.self) { try monk.setValue(nil, forKey: "department") }
            stage.store.fail(.read)
            #expect(throws: StoreError.self) { try monk.setValue(nil, forKey: "note") }
            #expect(!context.hasChanges)
            let kitchen = try failingKitchen()
            #expect(throws: StoreError.self) { try kitchen.setObjects([], forKey: "employees") }
            try context.save()
        }

        @Test func `leaves the committed values to be read`() throws {
            let monk = try stage.failingEmployee(in: context)
            monk.age = 0
            #expect(try monk.committedValues(forKeys: ["age"]) == ["age": 40])
        }
    }
#endif
