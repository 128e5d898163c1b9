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

        /// Merges turn by turn what there is, and returns the ages after each turn in which they changed.
        private func mergeAll(_ limit: Int) -> [[Int]] {
            var ages: [[Int]] = []
            var isMerged = false
            while !isMerged {
                isMerged = context.mergeCommits(examiningAtMost: limit)
                if ages.last != people.map(\.age) { ages.append(people.map(\.age)) }
            }
            return ages
        }

        private func changeAll(_ age: Int = 8) throws {
            for employee in people { try other.own(employee).age = age }
            try other.save()
        }

        @Test func `a commit is merged as a whole, whatever its size`() throws {
            try changeAll()
            #expect(mergeAll(2) == [[0, 0, 0, 0, 0], [8, 8, 8, 8, 8]])
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
            #expect(mergeAll(3) == [[7, 0, 0, 0, 0], [8, 8, 8, 8, 8]])
        }

        @Test func `a call that advances merges all that waits`() throws {
            try changeAll(7)
            try changeAll(8)
            // In the middle of the preparation.
            #expect(!context.mergeCommits(examiningAtMost: 2) && people.allSatisfy { $0.age == 0 })
            _ = try context.count(FetchRequest(entityName: "Skill"))
            #expect(people.allSatisfy { $0.age == 8 } && context.mergeCommits(examiningAtMost: 2))
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

        @Test func `objects that were changed, deleted or read again meanwhile are merged as they are`() throws {
            try changeAll()
            // Prepared, and not yet merged.
            for _ in 0..<3 { #expect(!context.mergeCommits(examiningAtMost: 2)) }
            people[0].note = "mine"
            context.delete(people[1])
            people[2].name = "c!"
            context.rollback()
            people[3].note = "mine"
            #expect(people[3].age == 0)
            while !context.mergeCommits(examiningAtMost: 2) {}
            #expect(people.map(\.age) == [8, 8, 8, 0, 8])
            context.rollback()
            #expect(people.map(\.age) == [8, 8, 8, 8, 8])
        }

        @Test func `a bell that rings for a commit merged before rings for the next one, too`() throws {
            let rings = Locked(0)
            context.setBell { rings.withLock { $0 += 1 } }
            let ring = office.stack.coordinator.takeForeignCommits(isCommitting: false)
            _ = try context.count(FetchRequest(entityName: "Skill"))
            ring?()
            #expect(rings.withLock { $0 } == 1)
            #expect(context.mergeCommits(examiningAtMost: 2))
            try changeAll()
            #expect(rings.withLock { $0 } == 2)
        }

        @Test func `the bell of a released context no longer rings`() throws {
            let rings = Locked(0)
            try withExtendedLifetime(office.newContext()) { released in
                released.setBell { rings.withLock { $0 += 1 } }
                try changeAll(7)
            }
            #expect(rings.withLock { $0 } == 1)
            try changeAll()
            #expect(rings.withLock { $0 } == 1)
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
            while !context.mergeCommits(examiningAtMost: 1) {}
            #expect(department.employees == [people[4]])
            #expect(people.map(\.isDeleted) == [true, true, true, true, false])
        }

        @Test func `objects are told that they become faults when all of them have`() throws {
            let diaries = try (0..<3).map { _ in try context.insert(Office.Diary.self) }
            try context.save()
            var faults: [String] = []
            for diary in diaries {
                diary.atTurnIntoFault = { when in faults.append("\(when) \(diaries.count(where: \.isFault))") }
            }
            office.stack.coordinator.noteForeignChanges()
            #expect(context.mergeCommits(examiningAtMost: 2))
            #expect(faults == Array(repeating: "will 0", count: 3) + Array(repeating: "did 3", count: 3))
            for diary in diaries { diary.atTurnIntoFault = nil }
        }

        @Test func `a fetch by an object that becomes a fault leaves the newest values`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            let own = try other.own(diary)
            diary.atTurnIntoFault = { [context, people] when in
                if when == "will" { return }
                // Reason for try?: a failure shows in what is expected below.
                _ = try? context.count(FetchRequest(entityName: "Skill"))
                #expect(people.allSatisfy { $0.age == 9 })
            }
            _ = try other.execute(BatchUpdateRequest(entityName: "Diary", propertiesToUpdate: ["text": "z"]))
            try changeAll(8)
            try changeAll(9)
            context.mergeCommits()
            #expect(people.allSatisfy { $0.age == 9 } && diary.text == "z")
            diary.atTurnIntoFault = nil
            _ = own
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
