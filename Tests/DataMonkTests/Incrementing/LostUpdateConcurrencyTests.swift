#if Macros
    import DataMonk
    import Testing

    /// A thousand updates add to one row at once: by each safe way all of them count.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct `Concurrency of increments` {
        @Test(arguments: SafeWay.all) func `a thousand increments of one row are a thousand`(way: SafeWay) async throws
        {
            let treasury = try Treasury(.file)
            let id = treasury.id
            let context = try await way.makeContext(treasury.stack)
            // Retries of one's own meet each other again: of a thousand at once, half a million bodies would run.
            let tasks = way.kind == .ownRetries ? 8 : 1_000
            let bodies = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        var bodies = 0
                        for _ in 0..<1_000 / tasks { bodies += try await way.add(context, id) }
                        return bodies
                    }
                }
                return try await group.reduce(0, +)
            }
            print("\(way.testDescription): \(bodies) bodies")
            #expect(try treasury.stored().balance == 1_000)
            switch way.kind {
            case .increment, .serial: #expect(bodies == 1_000)
            case .retrying: #expect(bodies <= 2_500)
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
