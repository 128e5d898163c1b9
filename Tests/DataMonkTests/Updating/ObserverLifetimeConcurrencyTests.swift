#if Macros
    import DataMonk
    import Dispatch
    import Testing

    /// The end of observers' calls, and the objects that they keep alive until then: none.
    @Suite struct `Observers and their ends` {
        private let stack: Stack

        init() throws {
            stack = try Stack(Person.self)
            try stack.addInMemoryStore()
        }

        private func commit() async throws {
            try await Context(stack: stack).update { update in
                _ = try update.create(Person.self)
                try update.commit()
            }
        }

        @Test(.timeLimit(.minutes(60))) func `no token keeps a stack or its coordinator`() async throws {
            let program = Context.observeCommit(queue: .global()) {}
            var own: Stack? = try Stack(Person.self)
            try own?.addInMemoryStore()
            let observers = [own?.observeCommit(queue: .global()) {}, own?.rootContext?.observeCommits { _, _ in }]
            weak let coordinator = own?.coordinator
            own = nil
            // Other tests' observers may be looking for new stacks.
            while coordinator != nil, !Task.isCancelled { await Task.yield() }
            #expect(coordinator == nil)
            withExtendedLifetime((program, observers)) {}
        }

        @Test @MainActor func `no block is called after its token's end, although a commit came before`() async throws {
            let calls = Locked(0)
            var observer: CommitObserver? = stack.observeCommit { calls.withLock { $0 += 1 } }
            let graph = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try graph.insert(Person.self)
            // On the main actor: the block cannot be called before the token is released.
            try graph.save()
            _ = observer
            observer = nil
            for _ in 0..<100 { await Task.yield() }
            #expect(calls.withLock { $0 } == 0)
        }

        private actor Index {
            private var observer: CommitObserver?
            private let ended: Meeting

            init(ended: Meeting) { self.ended = ended }

            deinit { ended.open() }

            func follow(_ stack: Stack) { observer = stack.observeCommit(on: self) { _ in } }
        }

        @Test func `an actor that keeps its own observation goes when nobody holds it`() async throws {
            let ended = Meeting()
            var index: Index? = Index(ended: ended)
            await index?.follow(stack)
            index = nil
            await ended.wait()
            try await commit()
        }

        @Test func `a batch request of an update's child is heard by observers of the context`() async throws {
            let context = try Context(stack: stack)
            try await commit()
            let queue = DispatchQueue(label: "observer")
            let calls = Locked(0)
            let observer = context.observeCommit(of: .context, queue: queue) { calls.withLock { $0 += 1 } }
            try await context.update { update in
                let child = ManagedObjectContext(parent: update.managedObjectContext)
                try child.execute(BatchUpdateRequest(entityName: "Person", propertiesToUpdate: ["age": 3]))
            }
            queue.sync {}
            #expect(calls.withLock { $0 } == 1)
            observer.cancel()
        }

        private final class Screen: Sendable {
            func reload() {}
        }

        private struct Dropped {
            weak let stack: Stack?
            weak let screen: Screen?
        }

        @Test(.timeLimit(.minutes(60))) func `a thousand observations and stacks leave nothing`() async throws {
            let program = Context.observeCommit(queue: .global()) {}
            let dropped = try (0..<1_000).map { _ in
                let (stack, screen) = (try Stack(Person.self), Screen())
                Context.observeCommit(queue: .global()) { screen.reload() }.cancel()
                return Dropped(stack: stack, screen: screen)
            }
            func isLeft() -> Bool { dropped.contains { $0.stack != nil || $0.screen != nil } }
            // Other tests' observers may be looking for new stacks.
            while isLeft(), !Task.isCancelled { await Task.yield() }
            #expect(!isLeft())
            program.cancel()
        }
    }
#endif
