#if Macros
    import DataMonk
    import Testing

    /// First reads of a turn, after a batch request or another process has made changes whose former rows are unknown: the
    /// main context then moves as a whole.
    @Suite(.serialized) @MainActor struct `First reads after unknown changes` {
        enum Entrance: CaseIterable {
            case property, fault, row, toMany, ids, condition, committedValues, batch, prefetchedBatch, draft
        }

        private let office: OfficeStack
        private let World: MainContext
        private let monk: Office.Employee
        private let department: Office.Department

        init() async throws {
            office = try OfficeStack(.file)
            try await Context(stack: office.stack).update { update in
                let department = try update.create(Office.Department.self)
                department.name = "Old"
                let monk = try update.create(Office.Employee.self)
                monk.name = "Monk"
                monk.department = department
                try update.commit()
            }
            // Nobody's rows are cached.
            office.stack.coordinator.noteForeignChanges()
            World = try MainContext(stack: office.stack)
            monk = try World.fetch(Office.Employee.self)
            department = try World.fetch(Office.Department.self, options: .NoPropertyValues)
        }

        /// Changes both on the calling thread, so that no turn ends in between.
        private func changeBoth() throws {
            World.managedObjectContext.endTurn()
            try Context(stack: office.stack).beginUpdateAndWait { update in
                try update.batchUpdate(Office.Employee.self, set: ["age": 80])
                try update.batchUpdate(Office.Department.self, set: ["name": "New"])
            }
        }

        @Test(arguments: Entrance.allCases) func `show the same state as all others`(entrance: Entrance) throws {
            let departments = try World.fetchBatched(Office.Department.self, options: .Batch(1))
            let prefetched = try World.fetchBatched(
                Office.Department.self, options: .Batch(1) | .Prefetch(["employees"]))
            let draft = World.draft()
            let edited = try draft.use(monk)
            try changeBoth()
            #expect(monk.age == 0)
            switch entrance {
            case .property: _ = department.name
            case .fault: try department.fault()
            case .row: _ = try department.value(forKey: "name")
            case .toMany: _ = department.employees
            case .ids: _ = try department.objectIDs(forRelationshipNamed: "employees")
            case .condition: _ = try Condition(format: "employees.@count == 1").evaluate(with: department)
            case .committedValues: _ = try department.committedValues(forKeys: ["employees"])
            case .batch: _ = departments[0]
            case .prefetchedBatch: _ = prefetched[0]
            case .draft:
                _ = edited.department?.employees
                _ = department.name
            }
            #expect(monk.age == 80 && department.name == "New")
        }
    }
#endif
