#if Macros
    import DataMonk
    import Testing

    @Suite struct `A root context` {
        private let stack: Stack
        private let context: Context

        init() throws {
            stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            context = try Context(stack: stack)
        }

        private func create(_ name: String) async throws {
            try await context.update { update in
                try update.create(Person.self).name = name
                try update.commit()
            }
        }

        @Test func `is one for its stack, or none`() throws {
            let root = try #require(stack.rootContext)
            #expect(stack.rootContext === root)
            #expect(try Stack(Person.self, rootContext: .none).rootContext == nil)
        }

        @Test func `shows each commit`() async throws {
            let root = try #require(stack.rootContext)
            for count in 1...20 {
                try await create("\(count)")
                #expect(try await root.read { try $0.count(Person.self) } == count)
            }
            let names = try await root.read { try $0.fetchAll(Person.self, %"name" == "7").map(\.name) }
            #expect(names == ["7"])
        }

        @Test func `tells an observer of each commit in order, and lets it read`() async throws {
            let root = try #require(stack.rootContext)
            let names = Locked<[String]>([])
            let done = Meeting()
            let observer = root.observeCommits { reader, commit in
                let inserted = try reader.fetch(Person.self, commit.inserted).map(\.name)
                if names.withLock({
                    $0 += inserted; return $0.count
                }) == 50 {
                    done.open()
                }
            }
            for number in 0..<50 { try await create("\(number)") }
            await done.wait()
            #expect(names.withLock { $0 } == (0..<50).map(String.init))
            observer.cancel()
        }

        @Test func `reports what an observer throws, and goes on`() async throws {
            struct Problem: Error {}
            let root = try #require(stack.rootContext)
            let reported = Meeting()
            stack.onError { if $0 is Problem { reported.open() } }
            let (calls, second) = (Locked(0), Meeting())
            let observer = root.observeCommits { _, _ in
                if calls.withLock({
                    $0 += 1; return $0
                }) == 2 {
                    return second.open()
                }
                throw Problem()
            }
            try await create("first")
            await reported.wait()
            try await create("second")
            await second.wait()
            observer.cancel()
        }

        @Test func `ends with its stack`() async throws {
            var own: Stack? = try Stack(Person.self)
            try own?.addInMemoryStore()
            let root = try #require(own?.rootContext)
            let observer = root.observeCommits { _, _ in }
            weak let stack = own
            own = nil
            #expect(stack == nil)
            // The stores are the coordinator's, which the root context keeps.
            #expect(try await root.read { try $0.count(Person.self) } == 0)
            observer.cancel()
        }

        @Test func `a cancelled task reads nothing`() async throws {
            let root = try #require(stack.rootContext)
            let task = Task { () -> Int in
                while !Task.isCancelled { await Task.yield() }
                return try await root.read { try $0.count(Person.self) }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
#endif
