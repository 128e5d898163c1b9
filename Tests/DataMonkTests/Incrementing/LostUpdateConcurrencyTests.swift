#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Updates add to one row at once: by each safe way all of them count.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct `Concurrency of increments` {
        private static let increments =
            ProcessInfo.processInfo.environment["DATAMONK_INCREMENTS"].flatMap { Int($0) } ?? 1_000

        @Test(arguments: SafeWay.all) func `increments of one row at once are all counted`(way: SafeWay) async throws {
            let increments = Self.increments
            let treasury = try Treasury(.file)
            let id = treasury.id
            let context = try await way.makeContext(treasury.stack)
            // Retries of one's own meet each other again: of many at once, far more bodies would run.
            let tasks = way.kind == .ownRetries ? 8 : increments
            let bodies = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        var bodies = 0
                        for _ in 0..<increments / tasks { bodies += try await way.add(context, id) }
                        return bodies
                    }
                }
                return try await group.reduce(0, +)
            }
            print("\(way.testDescription): \(bodies) bodies")
            #expect(try treasury.stored().balance == increments)
            switch way.kind {
            case .increment, .serial: #expect(bodies == increments)
            case .retrying: #expect(bodies <= increments * 5 / 2)
            case .ownRetries: break
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `increments and other changes of one row all count`(kind: StoreKind) async throws {
            let treasury = try Treasury(kind)
            let id = treasury.id
            let context = try Context(stack: treasury.stack)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await context.update { update in
                            try update.increment(\.balance, by: 1, of: id)
                            try update.commit()
                        }
                    }
                    group.addTask {
                        try await context.update(retrying: 100) { update in
                            try update.use(id).note = "\(number)"
                            try update.increment(\.balance, by: 10, of: id)
                            try update.commit()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try treasury.stored().balance == 1_100)
        }
    }
#endif
