#if Macros
    import DataMonk
    import Testing

    /// Results by id, and how they follow changes elsewhere.
    @Suite struct `Snapshots of fetched results` {
        private let stage: ResultsStage

        init() throws {
            stage = try ResultsStage(people: [("Ann", "a"), ("Bob", "b"), ("Cid", "b")])
        }

        @Test func `a change makes of the snapshot before it the one after it`() throws {
            var snapshot = stage.controller.snapshot
            try stage.employee("Bob").note = "c"
            stage.context.delete(try stage.employee("Ann"))
            _ = try stage.insert("Dan", "d")
            stage.context.processPendingChanges()
            let changes = try #require(stage.told.first)
            var isApplied = snapshot.apply(changes)
            #expect(isApplied && snapshot == stage.controller.snapshot)
            #expect(snapshot.sections.map(\.name) == ["b", "c", "d"])
            // Once more it is nothing new.
            isApplied = snapshot.apply(changes)
            #expect(isApplied && snapshot == stage.controller.snapshot)
        }

        @Test func `many objects come, go and move in one change`() throws {
            for number in 0..<200 { _ = try stage.insert("p\(number)", ["a", "b", "c"][number % 3]) }
            stage.context.processPendingChanges()
            var snapshot = stage.controller.snapshot
            for (index, person) in (stage.controller.fetchedObjects ?? []).enumerated() {
                switch index % 5 {
                case 0: stage.context.delete(person)
                case 1: person.note = "d"
                case 2: person.name += "!"
                default: continue
                }
            }
            for number in 0..<60 { _ = try stage.insert("q\(number)", "b") }
            stage.context.processPendingChanges()
            let isApplied = snapshot.apply(try #require(stage.told.last))
            #expect(isApplied && snapshot == stage.controller.snapshot)
        }

        @Test func `a change that does not follow is refused, and leaves the snapshot as it is`() throws {
            let snapshot = stage.controller.snapshot
            for age in 1...2 {
                try stage.employee("Bob").age = age
                stage.context.processPendingChanges()
            }
            var late = snapshot
            var isApplied = late.apply(stage.told[1])
            #expect(!isApplied && late == snapshot)
            stage.context.reset()
            late = stage.controller.snapshot
            #expect(late.sections.isEmpty)
            try stage.controller.performFetch()
            try stage.employee("Bob").age = 3
            stage.context.processPendingChanges()
            isApplied = late.apply(try #require(stage.told.last))
            #expect(!isApplied)
        }

        @Test func `changes come as a sequence, which ends with the controller`() async throws {
            var controller: FetchedResultsController<Office.Employee>? = try FetchedResultsController(
                context: stage.context, request: ResultsStage.request(), sectionNameKeyPath: "note")
            try controller?.performFetch()
            var snapshot = try #require(controller?.snapshot)
            let changes = try #require(controller?.changes)
            for name in ["Dan", "Eve"] {
                _ = try stage.insert(name, "b")
                stage.context.processPendingChanges()
            }
            let last = controller?.snapshot
            controller = nil
            var count = 0
            for await change in changes {
                let isApplied = snapshot.apply(change)
                #expect(isApplied)
                count += 1
            }
            #expect(count == 2 && snapshot == last)
        }

        @Test func `who listens too slowly finds a gap`() async throws {
            var snapshot = stage.controller.snapshot
            let bob = try stage.employee("Bob")
            let changes = stage.controller.changes
            for age in 1...70 {
                bob.age = age
                stage.context.processPendingChanges()
            }
            var iterator = changes.makeAsyncIterator()
            let first = try #require(await iterator.next())
            let isApplied = snapshot.apply(first)
            #expect(!isApplied && first.version == snapshot.version + 7)
        }
    }
#endif
