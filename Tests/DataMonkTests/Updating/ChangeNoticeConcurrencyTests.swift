#if Macros
    import DataMonk
    import Testing

    /// What observers of a main context and of updates are told.
    @Suite @MainActor struct `Change notices of contexts` {
        private let stack: Stack
        private let World: MainContext

        init() throws {
            stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            World = try MainContext(stack: stack)
        }

        @Test func `a main context tells what updates committed, by object`() async throws {
            let id = try await World.update { update in
                let monk = try update.create(Person.self)
                try update.commit()
                return monk.objectID
            }
            let monk = try World.use(id)
            let (ages, continuation) = AsyncStream.makeStream(of: [Int].self)
            let observation = World.observeChanges { changes in
                continuation.yield(changes.updated.compactMap { ($0 as? Person)?.age })
            }
            try await World.update { update in
                try update.use(id).age = 7
                try update.commit()
            }
            var iterator = ages.makeAsyncIterator()
            #expect(await iterator.next() == [7])
            #expect(monk.age == 7)
            _ = observation
        }

        @Test func `a main context tells by id whoever listens elsewhere`() async throws {
            let notices = World.objectChanges
            let id = try await World.update { update in
                let monk = try update.create(Person.self)
                try update.commit()
                return monk.objectID
            }
            let first = await Task.detached { await notices.first { _ in true } }.value
            #expect(first?.inserted == [id.erased])
        }

        @Test func `a large commit is told once, with all its objects`() async throws {
            let notices = World.objectChanges
            let count = 2_000
            try await World.update { update in
                for _ in 0..<count { _ = try update.create(Person.self) }
                try update.commit()
            }
            var iterator = notices.makeAsyncIterator()
            let first = await iterator.next()
            #expect(first.map { Set($0.inserted).count } == count)
        }

        @Test func `reset says that everything is forgotten`() throws {
            var told: [Bool] = []
            let observation = World.observeChanges { told.append($0.isEverything) }
            World.reset()
            #expect(told == [true])
            _ = observation
        }

        @Test func `a listener that is too slow learns that it missed something`() async throws {
            let notices = World.objectChanges
            for _ in 0..<70 { World.reset() }
            var isEverything = false
            for await notice in notices {
                isEverything = notice.isEverything
                if isEverything { break }
            }
            #expect(isEverything)
        }

        @Test func `the notices end with their context`() async throws {
            var context: MainContext? = try MainContext(stack: stack)
            let notices = try #require(context?.objectChanges)
            context = nil
            var iterator = notices.makeAsyncIterator()
            #expect(await iterator.next() == nil)
        }

        @Test func `the end of a perform ends a user event`() async throws {
            let told = Locked<[Int]>([])
            let context = World.beginUpdateContext()
            let token = try await context.perform { update in
                let token = update.observeChanges { changes in told.withLock { $0.append(changes.inserted.count) } }
                _ = try update.create(Person.self)
                #expect(told.withLock { $0.isEmpty })
                return UncheckedToken(token: token)
            }
            #expect(told.withLock { $0 } == [1])
            try await context.perform { _ in }
            #expect(told.withLock { $0 } == [1])
            _ = token
        }

        @Test func `performAndWait ends no user event`() throws {
            let told = Locked<[Int]>([])
            let context = World.beginUpdateContext()
            let token = try context.performAndWait { update in
                let token = update.observeChanges { changes in told.withLock { $0.append(changes.inserted.count) } }
                _ = try update.create(Person.self)
                return UncheckedToken(token: token)
            }
            #expect(told.withLock { $0.isEmpty })
            try context.performAndWait { update in
                _ = try update.create(Person.self)
                try update.commit()
            }
            #expect(told.withLock { $0 } == [2])
            _ = token
        }
    }

    /// Keeps an observation of an update alive between its steps.
    private struct UncheckedToken: @unchecked Sendable {
        // @unchecked Sendable: nobody touches the token; it is only kept.
        let token: ContextObservation
    }
#endif
