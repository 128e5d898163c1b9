#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Waits that could last for ever, and do not.
    @Suite(.inOwnProcess) struct `Concurrency of waits` {
        private let stack: Stack

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
        }

        private func serial(deadline: Duration = .seconds(3_600)) throws -> Context {
            try Context(stack: stack, updateOrder: .serial, deadline: deadline)
        }

        /// As from code that cannot know that it runs in a task.
        private static func block(_ context: Context) throws { try context.beginUpdateAndWait { _ in } }

        private static func block(
            _ context: UpdateContext, _ body: @Sendable (Update) throws -> Void = { _ in }
        ) throws {
            try context.performAndWait(body)
        }

        private static func begin(
            _ context: UpdateContext, _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
        ) -> UpdateHandle {
            context.beginPerform(body)
        }

        // MARK: The main actor

        @Test @MainActor func `main is refused at once for a serial update that can suspend, by both names`()
            async throws
        {
            let context = try serial()
            let (holding, release) = (Meeting(), Meeting())
            let holder = context.beginUpdate { _ in
                holding.open()
                await release.wait()
            }
            await holding.wait()
            let error = #expect(throws: UpdateError.self) { try Self.block(context) }
            #expect(error?.code == .wouldDeadlock)
            #expect(error?.waiter?.name == "beginUpdateAndWait" && error?.holder?.name == "beginUpdate")
            #expect(error?.holder?.fileID == #fileID && error?.holder?.line != error?.waiter?.line)
            #expect(error?.message.contains("WaitingConcurrencyTests.swift") == true)
            release.open()
            try await holder.value
            try Self.block(context)
        }

        @Test @MainActor func `main waits for a serial update that cannot suspend`() async throws {
            let context = try serial()
            let isIn = Meeting()
            let end = DispatchSemaphore(value: 0)
            let holder = Task {
                try await onThread {
                    try context.beginUpdateAndWait { _ in
                        isIn.open()
                        end.wait()
                    }
                }
            }
            await isIn.wait()
            startThread { end.signal() }
            try Self.block(context)
            try await holder.value
        }

        @Test func `serial updates that need the main actor and threads that wait for their turn all end`() async throws
        {
            let context = try serial(deadline: .seconds(500))
            try await watched("MainActor.run inside, beginUpdateAndWait outside") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<50 {
                        group.addTask { try await context.update { _ in await MainActor.run {} } }
                        group.addTask { try await onThread { try Self.block(context) } }
                    }
                    try await group.waitForAll()
                }
            }
        }

        // MARK: Crosswise

        @Test func `of two contexts whose steps wait for each other one is refused and one goes on`() async throws {
            let context = try Context(stack: stack, deadline: .seconds(3_600))
            let (left, right) = (context.beginUpdateContext(), context.beginUpdateContext())
            try await watched("two contexts crosswise") {
                let refused = try await Self.cross(
                    { body in try Self.block(left) { _ in try body() } }, { try Self.block(right) },
                    { body in try Self.block(right) { _ in try body() } }, { try Self.block(left) })
                #expect(refused.map(\.code) == [.wouldDeadlock])
                #expect(refused.allSatisfy { $0.holder?.name == "performAndWait" })
            }
        }

        @Test func `of two serial contexts that wait for each other one is refused and one goes on`() async throws {
            let (left, right) = (try serial(), try serial())
            try await watched("two serial contexts crosswise") {
                let refused = try await Self.cross(
                    { body in _ = try left.beginUpdateAndWait { _ in try body() } }, { try Self.block(right) },
                    { body in _ = try right.beginUpdateAndWait { _ in try body() } }, { try Self.block(left) })
                #expect(refused.map(\.code) == [.wouldDeadlock])
            }
        }

        /// Two threads that are each in one place and then want into the other's.
        private static func cross(
            _ first: @escaping @Sendable (@Sendable () throws -> Void) throws -> Void,
            _ intoSecond: @escaping @Sendable () throws -> Void,
            _ second: @escaping @Sendable (@Sendable () throws -> Void) throws -> Void,
            _ intoFirst: @escaping @Sendable () throws -> Void
        ) async throws -> [UpdateError] {
            let bothIn = DispatchSemaphore(value: 0)
            let otherIn = DispatchSemaphore(value: 0)
            let refused = Locked<[UpdateError]>([])
            let attempt: @Sendable (() throws -> Void) throws -> Void = { body in
                do { try body() } catch let error as UpdateError { refused.withLock { $0.append(error) } }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await onThread {
                        try first {
                            otherIn.signal()
                            bothIn.wait()
                            try attempt(intoSecond)
                        }
                    }
                }
                group.addTask {
                    try await onThread {
                        try second {
                            otherIn.wait()
                            bothIn.signal()
                            try attempt(intoFirst)
                        }
                    }
                }
                try await group.waitForAll()
            }
            return refused.withLock { $0 }
        }

        @Test func `of two serial updates that await each other one is refused and one goes on`() async throws {
            let (left, right) = (try serial(), try serial())
            let (leftIn, rightIn) = (Meeting(), Meeting())
            let refused = Locked(0)
            try await watched("two serial updates await each other") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (own, other, isIn, otherIn) in [(left, right, leftIn, rightIn), (right, left, rightIn, leftIn)]
                    {
                        group.addTask {
                            try await own.update { _ in
                                isIn.open()
                                await otherIn.wait()
                                do {
                                    try await other.update { _ in }
                                } catch let error as UpdateError where error.code == .wouldDeadlock {
                                    refused.withLock { $0 += 1 }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(refused.withLock { $0 } == 1)
        }

        @Test func `a serial update inside another context's, inside the serial order, is refused at once`()
            async throws
        {
            let (outer, middle) = (try serial(), try Context(stack: stack))
            await #expect(throws: UpdateError.self) {
                try await outer.update { _ in try await middle.update { _ in try await outer.update { _ in } } }
            }
            let error = await #expect(throws: UpdateError.self) {
                try await outer.update { _ in try await middle.update { _ in try Self.block(outer) } }
            }
            #expect(error?.code == .wouldDeadlock)
            try await outer.update { _ in }
        }

        @Test func `a part of an update that waits for the update's order is refused`() async throws {
            let context = try serial()
            let error = await #expect(throws: UpdateError.self) {
                try await context.update { update in
                    try await update.perform { _ in try await context.update { _ in } }.value
                }
            }
            #expect(error?.code == .wouldDeadlock)
        }

        @Test func `a step that waits for one of its own context inside a serial update does not hang`() async throws {
            let context = try serial()
            let other = context.beginUpdateContext()
            try await watched("a queued step and the holder of its order") {
                try await context.update { _ in
                    let queued = Self.begin(other) { _ in }
                    let error = #expect(throws: UpdateError.self) { try Self.block(other) }
                    #expect(error?.code == .wouldDeadlock)
                    _ = queued
                }
                try await other.wait()
            }
        }

        // MARK: Tasks and callbacks inside

        @Test func `a blocking call in a task of a serial update is refused at once`() async throws {
            let context = try serial()
            let error = await #expect(throws: UpdateError.self) {
                try await context.update { _ in try await Task { try Self.block(context) }.value }
            }
            #expect(error?.code == .wouldDeadlock)
        }

        @Test(arguments: [true, false])
        func `a serial update awaited in a task of another one ends by a deadline`(isDetached: Bool) async throws {
            let context = try serial(deadline: .milliseconds(50))
            try await watched("a task inside a serial update, detached: \(isDetached)") {
                let error = await #expect(throws: UpdateError.self) {
                    try await context.update { _ in
                        let task =
                            isDetached
                            ? Task.detached { try await context.update(deadline: .milliseconds(50)) { _ in } }
                            : Task { try await context.update { _ in } }
                        try await task.value
                    }
                }
                #expect(error?.code == .deadlinePassed)
                #expect(error?.holder?.name == "update" && error?.waiter?.name == "update")
                try await context.update { _ in }
            }
        }

        @Test func `updates in tasks of two serial ones that each wait for the other's order end by a deadline`()
            async throws
        {
            let (left, right) = (try serial(deadline: .milliseconds(50)), try serial(deadline: .milliseconds(50)))
            let (leftIn, rightIn) = (Meeting(), Meeting())
            let ended = Locked(0)
            try await watched("tasks inside of two serial updates") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (own, other, isIn, otherIn) in [(left, right, leftIn, rightIn), (right, left, rightIn, leftIn)]
                    {
                        group.addTask {
                            try await own.update { _ in
                                isIn.open()
                                await otherIn.wait()
                                do {
                                    try await Task { try await other.update { _ in } }.value
                                } catch let error as UpdateError where error.code == .deadlinePassed {
                                    ended.withLock { $0 += 1 }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(ended.withLock { $0 } > 0)
        }

        @Test func `an update that nobody awaits in a task of a serial one takes its turn`() async throws {
            let context = try serial()
            let task = Locked<Task<Void, any Error>?>(nil)
            try await context.update { _ in
                let inner = Task { try await context.update { _ in } }
                task.withLock { $0 = inner }
            }
            try await task.withLock { $0 }?.value
        }

        @Test func `a callback on another queue that the body awaits ends by the deadline`() async throws {
            let context = try serial(deadline: .milliseconds(50))
            try await watched("a callback inside a serial update") {
                let error = await #expect(throws: UpdateError.self) {
                    try await context.update { _ in try await onThread { try Self.block(context) } }
                }
                #expect(error?.code == .deadlinePassed && error?.holder?.name == "update")
            }
        }

        @Test func `a handle awaited in a task of the update before it ends by the deadline, and its update runs`()
            async throws
        {
            let context = try serial(deadline: .milliseconds(50))
            let hasRun = Meeting()
            try await watched("a handle inside a serial update") {
                let error = await #expect(throws: UpdateError.self) {
                    try await context.update { _ in
                        let second = context.beginUpdate { _ in hasRun.open() }
                        try await Task { try await second.value }.value
                    }
                }
                #expect(error?.code == .deadlinePassed)
                #expect(error?.holder?.name == "update" && error?.waiter?.name == "beginUpdate")
                await hasRun.wait()
            }
        }

        // MARK: Threads

        @Test func `more updates than the pool has threads wait for one that needs a thread to go on`() async throws {
            let (order, free) = (try serial(deadline: .seconds(500)), try Context(stack: stack))
            try await watched("waits from the pool's threads") {
                let (holding, release) = (Meeting(), Meeting())
                let waiting = Locked(0)
                let holder = order.beginUpdate { _ in
                    holding.open()
                    await release.wait()
                }
                await holding.wait()
                let waiters = (0..<40).map { _ in
                    free.beginUpdate { _ in
                        if waiting.withLock({
                            $0 += 1; return $0
                        }) == 40 {
                            release.open()
                        }
                        try Self.block(order)
                    }
                }
                try await holder.value
                for waiter in waiters { try await waiter.value }
            }
        }

        // MARK: Deadlines

        @Test func `a deadline is the call's, else the context's, else the stack's`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial)
            let (holding, release) = (Meeting(), Meeting())
            let holder = context.beginUpdate { _ in
                holding.open()
                await release.wait()
            }
            await holding.wait()
            stack.deadline = .milliseconds(10)
            for body in [
                { try await onThread { try Self.block(context) } },
                { try await onThread { try context.beginUpdateAndWait(deadline: .milliseconds(5)) { _ in } } },
                { try await context.update(deadline: .milliseconds(5)) { _ in } },
                { try await context.beginUpdate(deadline: .milliseconds(5)) { _ in }.value },
                { try await context.beginUpdateContext().wait(deadline: .milliseconds(5)) },
            ] as [@Sendable () async throws -> Void] {
                let error = await #expect(throws: UpdateError.self) { try await body() }
                #expect(error?.code == .deadlinePassed && error?.holder?.name == "beginUpdate")
            }
            release.open()
            try await holder.value
            try await context.update { _ in }
        }

        @Test func `an update that awaits one that works is waited for as long as that`() async throws {
            let (context, other) = (try serial(deadline: .milliseconds(5)), try serial())
            let (release, isIn) = (Locked(false), Meeting())
            let holder = context.beginUpdate { _ in
                try await other.update { _ in
                    isIn.open()
                    while !release.withLock({ $0 }) { sched_yield() }
                }
            }
            await isIn.wait()
            let second = Task { try await context.update { _ in } }
            let third = context.beginUpdate(deadline: .milliseconds(50)) { _ in }
            await #expect(throws: UpdateError.self) { try await third.value }
            release.withLock { $0 = true }
            try await holder.value
            try await second.value
        }

        @Test func `an update that works is waited for longer than the deadline`() async throws {
            let context = try serial(deadline: .milliseconds(5))
            let release = Locked(false)
            let holder = context.beginUpdate { _ in while !release.withLock({ $0 }) { sched_yield() } }
            let second = Task { try await context.update { _ in } }
            let third = context.beginUpdate(deadline: .milliseconds(50)) { _ in }
            await #expect(throws: UpdateError.self) { try await third.value }
            release.withLock { $0 = true }
            try await holder.value
            try await second.value
        }
    }
#endif
