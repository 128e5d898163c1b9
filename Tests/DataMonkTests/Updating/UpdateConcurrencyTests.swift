#if Macros
    import DataMonk
    import Testing

    /// A place where tasks meet: `wait` returns once `open` was called, whichever came first.
    final class Meeting: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Locked(State())

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }

    /// Updates ordered by where their tasks meet, never by time.
    @Suite struct `Concurrency of updates` {
        private let stack: Stack
        private let log = Locked<[String]>([])

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
        }

        private func note(_ text: String) { log.withLock { $0.append(text) } }

        // MARK: Order

        @Test func `serial updates run in the order of the calls, awaits included`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            let handles = (0..<20).map { number in
                context.beginUpdate { _ in
                    note("begin \(number)")
                    for _ in 0..<number % 4 { await Task.yield() }
                    note("end \(number)")
                }
            }
            for handle in handles { try await handle.value }
            #expect(log.withLock { $0 } == (0..<20).flatMap { ["begin \($0)", "end \($0)"] })
        }

        @Test func `updates of the default order run side by side`() async throws {
            let context = try Context(stack: stack)
            let (first, second) = (Meeting(), Meeting())
            let handle = context.beginUpdate { _ in
                first.open()
                await second.wait()
            }
            try await context.update { _ in
                await first.wait()
                second.open()
            }
            try await handle.value
        }

        @Test func `performs of one context run one after the other, awaits included`() async throws {
            let context = try Context(stack: stack).beginUpdateContext()
            let gate = Meeting()
            let first = Self.begin(context) { _ in
                note("first begins")
                await gate.wait()
                note("first ends")
            }
            let second = Self.begin(context) { _ in note("second") }
            gate.open()
            try await first.value
            try await second.value
            #expect(log.withLock { $0 } == ["first begins", "first ends", "second"])
        }

        /// A step that is not awaited.
        private static func begin(
            _ context: UpdateContext, _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
        ) -> UpdateHandle {
            context.beginPerform(body)
        }

        @Test func `performs of one context see each other's unsaved changes`() async throws {
            let context = try Context(stack: stack).beginUpdateContext()
            try await context.perform { update in try update.create(Office.Employee.self).name = "Monk" }
            let names = try await context.perform { update in try update.fetchAll(Office.Employee.self).map(\.name) }
            #expect(names == ["Monk"])
            #expect(try await Context(stack: stack).read { try $0.count(Office.Employee.self) } == 0)
            try await context.perform { try $0.commit() }
            #expect(try await Context(stack: stack).read { try $0.count(Office.Employee.self) } == 1)
        }

        @Test func `a perform that the body waits for is a part of the body`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            try await context.update { update in
                let monk = try update.create(Office.Employee.self)
                monk.name = "Monk"
                let handle = update.perform { update in
                    try update.fetch(Office.Employee.self, %"name" == "Monk").age = 18
                    note("callback")
                }
                try await handle.value
                note("body \(monk.age)")
                try update.commit()
            }
            #expect(log.withLock { $0 } == ["callback", "body 18"])
        }

        @Test func `a perform after the body's end is a step of its own`() async throws {
            let context = try Context(stack: stack)
            let gate = Meeting()
            // Reason for nonisolated(unsafe): callbacks capture updates, and `perform` is safe from anywhere.
            nonisolated(unsafe) var update: Update?
            try await context.update { current in
                try current.create(Office.Employee.self).name = "Monk"
                update = current
            }
            let handle = update?.perform { update in
                await gate.wait()
                try update.commit()
            }
            gate.open()
            try await handle?.value
            update = nil
            #expect(try await context.read { try $0.count(Office.Employee.self) } == 1)
        }

        // MARK: Waiting

        @Test func `waiting for a serial update inside of one throws at once`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            let error = await #expect(throws: UpdateError.self) {
                try await context.update { _ in try Self.waitInside(context) }
            }
            #expect(error?.code == .wouldDeadlock)
            // The order is free again.
            try await context.update { _ in }
        }

        private static func waitInside(_ context: Context) throws {
            try context.beginUpdateAndWait { _ in }
        }

        @Test func `waiting for another update inside of one of the default order works`() async throws {
            let context = try Context(stack: stack)
            try await context.update { update in
                try Self.createAndWait(context)
                #expect(try update.count(Office.Employee.self) == 1)
            }
        }

        private static func createAndWait(_ context: Context) throws {
            try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                _ = try update.create(Office.Employee.self)
                try update.commit()
            }
        }

        @Test func `waiting for a serial update that does not end throws at the deadline`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .milliseconds(20))
            let (holding, end) = (Meeting(), Meeting())
            let handle = context.beginUpdate { _ in
                holding.open()
                await end.wait()
            }
            await holding.wait()
            let error = #expect(throws: UpdateError.self) { try Self.waitInside(context) }
            #expect(error?.code == .deadlinePassed || error?.code == .wouldDeadlock)
            end.open()
            try await handle.value
            try await context.update { _ in }
        }

        @Test func `beginUpdate inside a serial update takes its turn afterwards`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            let handle = Locked<UpdateHandle?>(nil)
            try await context.update { _ in
                let inner = context.beginUpdate { _ in note("inner") }
                handle.withLock { $0 = inner }
                await Task.yield()
                note("outer ends")
            }
            try await handle.withLock { $0 }?.value
            #expect(log.withLock { $0 } == ["outer ends", "inner"])
        }

        // MARK: Errors

        private struct Refused: Error, Equatable { var number = 0 }

        @Test func `an update throws what its body throws, and nobody else hears of it`() async throws {
            let heard = Locked(0)
            stack.onError { _ in heard.withLock { $0 += 1 } }
            let context = try Context(stack: stack)
            await #expect(throws: Refused(number: 1)) { try await context.update { _ in throw Refused(number: 1) } }
            #expect(heard.withLock { $0 } == 0)
            #expect(stack.lastError == nil)
        }

        @Test func `the handle of an update throws what its body throws`() async throws {
            let handle = try Context(stack: stack).beginUpdate { _ in throw Refused(number: 2) }
            await #expect(throws: Refused(number: 2)) { try await handle.value }
        }

        @Test func `the error of an update that nobody waits for goes to the handler`() async throws {
            let stack = stack
            let error = await withCheckedContinuation { (continuation: CheckedContinuation<any Error, Never>) in
                stack.onError { continuation.resume(returning: $0) }
                do {
                    try Context(stack: stack).beginUpdate { _ in throw Refused(number: 3) }
                } catch {
                    continuation.resume(returning: error)
                }
            }
            #expect(error as? Refused == Refused(number: 3))
            #expect(stack.lastError as? Refused == Refused(number: 3))
        }

        @Test func `an update that was cancelled before its turn does not run`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            let end = Meeting()
            let holder = context.beginUpdate { _ in await end.wait() }
            let cancelled = context.beginUpdate { _ in note("ran") }
            let next = context.beginUpdate { _ in note("next") }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            end.open()
            try await holder.value
            try await next.value
            #expect(log.withLock { $0 } == ["next"])
        }

        @Test func `an update that throws leaves the order to the next one`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            await #expect(throws: Refused.self) { try await context.update { _ in throw Refused() } }
            try await context.update { _ in note("next") }
            #expect(log.withLock { $0 } == ["next"])
        }
    }
#endif
