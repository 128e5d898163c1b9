#if Macros
    import DataMonk
    import Testing

    /// What a context takes over that has little time: a bounded number of objects a turn.
    @Suite struct `Merging in slices` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let other: ManagedObjectContext
        private let people: [Office.Employee]

        init() throws {
            office = try OfficeStack()
            let context = office.newContext()
            people = try ["a", "b", "c", "d", "e"].map { try context.employee($0) }
            try context.save()
            self.context = context
            other = office.newContext()
        }

        private func changeAll() throws {
            for employee in people { try other.own(employee).age = 8 }
            try other.save()
        }

        private var changedCount: Int { people.count { $0.age == 8 } }

        @Test func `a commit that changes more than a slice comes in several`() throws {
            try changeAll()
            #expect(!context.mergeCommits(touchingAtMost: 2) && changedCount == 2)
            #expect(!context.mergeCommits(touchingAtMost: 2) && changedCount == 4)
            #expect(context.mergeCommits(touchingAtMost: 2) && changedCount == 5)
            #expect(context.largestMerge == 2)
        }

        @Test func `a commit that fits into a slice is never cut`() throws {
            for pair in [people[0...1], people[2...3]] {
                for employee in pair { try other.own(employee).age = 8 }
                try other.save()
            }
            // The second one would fit by half.
            #expect(!context.mergeCommits(touchingAtMost: 3) && changedCount == 2)
            #expect(context.mergeCommits(touchingAtMost: 3) && changedCount == 4)
        }

        @Test func `the next call takes over the rest first`() throws {
            try changeAll()
            #expect(!context.mergeCommits(touchingAtMost: 1))
            _ = try context.count(FetchRequest(entityName: "Skill"))
            #expect(changedCount == 5 && context.mergeCommits(touchingAtMost: 1))
        }

        @Test func `later commits come behind what is left`() throws {
            try changeAll()
            #expect(!context.mergeCommits(touchingAtMost: 1))
            for employee in people { try other.own(employee).age = 9 }
            try other.save()
            while !context.mergeCommits(touchingAtMost: 1) {}
            #expect(people.allSatisfy { $0.age == 9 })
        }

        @Test func `observers are told once, when nothing is left of the commit`() throws {
            var told: [ObjectChanges] = []
            let observation = context.observeChanges { told.append($0) }
            try changeAll()
            #expect(!context.mergeCommits(touchingAtMost: 4) && told.isEmpty)
            #expect(context.mergeCommits(touchingAtMost: 4))
            #expect(told.map(\.updated.count) == [5])
            observation.cancel()
        }

        @Test func `what may all have changed becomes faults in one slice`() throws {
            office.stack.coordinator.noteForeignChanges()
            #expect(context.mergeCommits(touchingAtMost: 2) && people.allSatisfy { $0.isFault })
        }

        @Test func `deletions and to-manys come in slices too`() throws {
            let department = try context.department("d")
            for employee in people { employee.department = department }
            try context.save()
            #expect(department.employees.count == 5)
            for employee in people.dropLast() { other.delete(try other.own(employee)) }
            try other.save()
            var slices = 0
            while !context.mergeCommits(touchingAtMost: 1) { slices += 1 }
            #expect(slices >= 4 && department.employees == [people[4]])
            #expect(people.map(\.isDeleted) == [true, true, true, true, false])
        }

        @Test func `a context that is reset has nothing left`() throws {
            try changeAll()
            #expect(!context.mergeCommits(touchingAtMost: 2))
            context.reset()
            #expect(context.mergeCommits(touchingAtMost: 2))
        }
    }
#endif
