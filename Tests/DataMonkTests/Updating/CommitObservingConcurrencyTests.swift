#if Macros
    import DataMonk
    import Dispatch
    import Testing

    /// The blocks of `observeCommit`: where they are called, and for whose commits.
    @Suite struct `Observing commits` {
        private let stack: Stack

        init() throws {
            stack = try Stack(Person.self)
            try stack.addInMemoryStore()
        }

        private func commit(on context: some Updating) async throws {
            try await context.update { update in
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
        }

        @Test func `on a queue`() async throws {
            let context = try Context(stack: stack)
            let queue = DispatchQueue(label: "observer")
            let heard = Meeting()
            let observer = context.observeCommit(queue: queue) {
                dispatchPrecondition(condition: .onQueue(queue))
                heard.open()
            }
            try await commit(on: context)
            await heard.wait()
            observer.cancel()
        }

        private actor Index {
            let didChange = Meeting()
            var commits = 0

            func note() {
                commits += 1
                didChange.open()
            }
        }

        @Test func `on an actor`() async throws {
            let context = try Context(stack: stack)
            let index = Index()
            let observer = stack.observeCommit(on: index) { index in index.note() }
            try await commit(on: context)
            await index.didChange.wait()
            #expect(await index.commits == 1)
            observer.cancel()
        }

        @Test func `of one context, of its stack, and of the program`() async throws {
            let other = try Stack(Person.self)
            try other.addInMemoryStore()
            let (context, neighbor, stranger) = try (
                Context(stack: stack), Context(stack: stack), Context(stack: other)
            )
            let queue = DispatchQueue(label: "observer")
            let counts = Locked((own: 0, stack: 0, program: 0))
            let observers = [
                context.observeCommit(of: .context, queue: queue) { counts.withLock { $0.own += 1 } },
                context.observeCommit(queue: queue) { counts.withLock { $0.stack += 1 } },
                Context.observeCommit(queue: queue) { counts.withLock { $0.program += 1 } },
            ]
            for (each, expected) in [(context, (1, 1)), (neighbor, (1, 2)), (stranger, (1, 2))] {
                try await commit(on: each)
                queue.sync {}
                #expect(counts.withLock { ($0.own, $0.stack) } == expected)
            }
            // Other tests commit too, and commits at the same moment are told once.
            for _ in 0..<1_000 where counts.withLock({ $0.program }) < 3 {
                try await commit(on: stranger)
                queue.sync {}
            }
            #expect(counts.withLock { $0.program } >= 3)
            for observer in observers { observer.cancel() }
        }

        @Test func `of stacks that are made later`() async throws {
            let heard = Meeting()
            let queue = DispatchQueue(label: "observer")
            let later = Locked<ObjectIdentifier?>(nil)
            let observer = MainContext.observeCommit(queue: queue) {
                if later.withLock({ $0 }) != nil { heard.open() }
            }
            let stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            later.withLock { $0 = ObjectIdentifier(stack) }
            try await commit(on: Context(stack: stack))
            await heard.wait()
            observer.cancel()
        }

        @Test func `a token that is released ends the calls, of the program's stacks too`() async throws {
            let count = Locked(0)
            let queue = DispatchQueue(label: "observer")
            var observer: CommitObserver? = Context.observeCommit(queue: queue) { count.withLock { $0 += 1 } }
            _ = observer
            observer = nil
            // Other tests may have committed in between.
            queue.sync {}
            let before = count.withLock { $0 }
            try await commit(on: Context(stack: stack))
            queue.sync {}
            #expect(count.withLock { $0 } == before)
        }

        @Test @MainActor func `a draft's commits are those of its main context`() async throws {
            let World = try MainContext(stack: stack)
            let queue = DispatchQueue(label: "observer")
            let count = Locked(0)
            let observer = World.observeCommit(of: .context, queue: queue) { count.withLock { $0 += 1 } }
            let draft = World.draft()
            _ = try draft.create(Person.self)
            try await draft.commit()
            queue.sync {}
            #expect(count.withLock { $0 } == 1)
            observer.cancel()
        }
    }
#endif
