#if Macros
    import DataMonk
    import Testing

    /// Merging of commits by a context that has little time a turn: a commit is never split.
    @Suite struct `Merging turn by turn` {
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

        private func changeAll(_ age: Int = 8) throws {
            for employee in people { try other.own(employee).age = age }
            try other.save()
        }

        @Test func `a commit is merged as a whole, whatever its size`() throws {
            try changeAll()
            #expect(context.mergeCommits(examiningAtMost: 2) && people.allSatisfy { $0.age == 8 })
        }

        @Test func `commits share a turn as long as they fit into it`() throws {
            for employee in people {
                try other.own(employee).age = 8
                try other.save()
            }
            let counts = [2, 4, 5]
            for count in counts {
                #expect(context.mergeCommits(examiningAtMost: 2) == (count == 5))
                #expect(people.count { $0.age == 8 } == count)
            }
        }

        @Test func `a commit that does not fit waits for the next turn`() throws {
            try other.own(people[0]).age = 7
            try other.save()
            try changeAll()
            #expect(!context.mergeCommits(examiningAtMost: 3) && people.map(\.age) == [7, 0, 0, 0, 0])
            #expect(context.mergeCommits(examiningAtMost: 3) && people.allSatisfy { $0.age == 8 })
        }

        @Test func `a call that advances merges all that waits`() throws {
            try changeAll(7)
            try changeAll(8)
            #expect(!context.mergeCommits(examiningAtMost: 1) && people.allSatisfy { $0.age == 7 })
            _ = try context.count(FetchRequest(entityName: "Skill"))
            #expect(people.allSatisfy { $0.age == 8 } && context.mergeCommits(examiningAtMost: 1))
        }

        @Test func `observers are told once a commit`() throws {
            var told: [[Int]] = []
            let observation = context.observeChanges { [people] in
                told.append([$0.updated.count] + people.map(\.age))
            }
            try changeAll(7)
            try changeAll(8)
            while !context.mergeCommits(examiningAtMost: 1) {}
            #expect(told == [[5, 7, 7, 7, 7, 7], [5, 8, 8, 8, 8, 8]])
            observation.cancel()
        }

        @Test func `what may all have changed becomes faults in one turn`() throws {
            office.stack.coordinator.noteForeignChanges()
            #expect(context.mergeCommits(examiningAtMost: 2) && people.allSatisfy { $0.isFault })
        }

        @Test func `deletions and to-manys are merged with their commit`() throws {
            let department = try context.department("d")
            for employee in people { employee.department = department }
            try context.save()
            #expect(department.employees.count == 5)
            for employee in people.dropLast() { other.delete(try other.own(employee)) }
            try other.save()
            #expect(context.mergeCommits(examiningAtMost: 1))
            #expect(department.employees == [people[4]])
            #expect(people.map(\.isDeleted) == [true, true, true, true, false])
        }

        @Test func `a context that is reset has nothing left to merge`() throws {
            try changeAll(7)
            try changeAll(8)
            #expect(!context.mergeCommits(examiningAtMost: 1))
            context.reset()
            #expect(context.mergeCommits(examiningAtMost: 1))
        }
    }
#endif
