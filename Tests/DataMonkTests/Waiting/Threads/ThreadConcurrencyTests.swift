#if Macros
    import DataMonk
    import Dispatch
    import Foundation
    import Testing

    /// Updates beside bodies that keep the pool's threads or Swift's busy.
    @Suite(.serialized, .inOwnProcess) struct `Concurrency of threads` {
        private let stack: Stack
        private let context: Context

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
            context = try Context(stack: stack)
        }

        /// Runs a body while reads keep all threads of the pool, also those that are added when nothing moves: 128.
        private func whileBusy(_ body: () async throws -> Void) async throws {
            let isFree = DispatchSemaphore(value: 0)
            @Sendable func block() { isFree.wait() }
            let begun = Locked(0)
            let context = context
            let reads = 0..<128
            for _ in reads {
                Task {
                    try await context.read { _ in
                        begun.withLock { $0 += 1 }
                        block()
                    }
                }
            }
            while begun.withLock({ $0 }) < reads.count { await Task.yield() }
            defer { for _ in reads { isFree.signal() } }
            try await body()
        }

        @Test(.timeLimit(.minutes(60)))
        func `a deadline ends the wait for a thread, and the body does not run`() async throws {
            let steps = context.beginUpdateContext()
            let runs = Locked(0)
            let calls: [@Sendable () async throws -> Void] = [
                { [context] in
                    try await context.update(deadline: .milliseconds(20)) { _ in runs.withLock { $0 += 1 } }
                },
                { [context] in
                    try await context.beginUpdate(deadline: .milliseconds(20)) { _ in runs.withLock { $0 += 1 } }.value
                },
                { [context] in
                    try await context.update(retrying: 1, deadline: .milliseconds(20)) { _ in
                        runs.withLock { $0 += 1 }
                    }
                },
                { [context] in
                    try await context.read(deadline: .milliseconds(20)) { _ in runs.withLock { $0 += 1 } }
                },
                { try await steps.perform(deadline: .milliseconds(20)) { _ in runs.withLock { $0 += 1 } } },
                { try await steps.wait(deadline: .milliseconds(20)) },
            ]
            try await whileBusy {
                for call in calls {
                    let error = await #expect(throws: UpdateError.self) { try await call() }
                    #expect(error?.code == .deadlinePassed && error?.message.contains("thread") == true)
                }
            }
            // Behind the reads, which end now.
            #expect(runs.withLock { $0 } == 0)
            try await steps.perform { _ in runs.withLock { $0 += 1 } }
            #expect(runs.withLock { $0 } == 1)
        }

        @Test func `a body does not run after its deadline, whether its call blocks or not`() async throws {
            let (context, serial) = (context, try Context(stack: stack, updateOrder: .serial))
            let (steps, runs) = (context.beginUpdateContext(), Locked(0))
            let calls: [@Sendable (Duration) throws -> Void] = [
                { try context.beginUpdateAndWait(deadline: $0) { _ in runs.withLock { $0 += 1 } } },
                { try serial.beginUpdateAndWait(deadline: $0) { _ in runs.withLock { $0 += 1 } } },
                { try steps.performAndWait(deadline: $0) { _ in runs.withLock { $0 += 1 } } },
                { deadline in
                    try steps.performAndWait { _ in
                        try steps.performAndWait(deadline: deadline) { _ in runs.withLock { $0 += 1 } }
                    }
                },
            ]
            for deadline in [Duration.zero, .seconds(-1)] {
                for call in calls {
                    let error = await #expect(throws: UpdateError.self) { try await onThread { try call(deadline) } }
                    #expect(error?.code == .deadlinePassed)
                }
                for target in [context, serial] {
                    let error = await #expect(throws: UpdateError.self) {
                        try await target.update(deadline: deadline) { _ in runs.withLock { $0 += 1 } }
                    }
                    #expect(error?.code == .deadlinePassed)
                }
            }
            #expect(runs.withLock { $0 } == 0)
            for call in calls { try await onThread { try call(.seconds(3_600)) } }
            #expect(runs.withLock { $0 } == calls.count)
        }

        @Test(.timeLimit(.minutes(60)))
        func `a deadline ends the wait behind a step that holds the context`() async throws {
            let steps = context.beginUpdateContext()
            let (isIn, mayEnd) = (Meeting(), DispatchSemaphore(value: 0))
            let holder = Task {
                try await onThread {
                    try steps.performAndWait { _ in
                        isIn.open()
                        mayEnd.wait()
                    }
                }
            }
            await isIn.wait()
            let error = await #expect(throws: UpdateError.self) {
                try await steps.perform(deadline: .milliseconds(20)) { _ in }
            }
            #expect(error?.code == .deadlinePassed && error?.holder?.name == "performAndWait")
            mayEnd.signal()
            try await holder.value
        }

        /// There were 16 threads, and the update that was to free them had none.
        @Test(.timeLimit(.minutes(60)))
        func `updates that block on what a later one signals end`() async throws {
            let semaphore = DispatchSemaphore(value: 0)
            let begun = Locked(0)
            let blocked = (0..<40).map { _ in
                context.beginUpdate { _ in
                    begun.withLock { $0 += 1 }
                    semaphore.wait()
                }
            }
            // All threads that there are before more are added.
            while begun.withLock({ $0 }) < 16 { await Task.yield() }
            try await context.update { _ in for _ in 0..<40 { semaphore.signal() } }
            for handle in blocked { try await handle.value }
        }

        /// Each update that was given up counted as movement, so that no thread was added.
        @Test(.timeLimit(.minutes(60)))
        func `threads are added although others give up again and again`() async throws {
            let semaphore = DispatchSemaphore(value: 0)
            let begun = Locked(0)
            let blocked = (0..<16).map { _ in
                context.beginUpdate { _ in
                    begun.withLock { $0 += 1 }
                    semaphore.wait()
                }
            }
            while begun.withLock({ $0 }) < 16 { await Task.yield() }
            let signal = context.beginUpdate { _ in for _ in 0..<16 { semaphore.signal() } }
            let impatient = Task { [context] in
                // Reason for try?: each of them reaches its deadline.
                while !Task.isCancelled { try? await context.update(deadline: .milliseconds(20)) { _ in } }
            }
            try await watched("an update behind others that give up") { try await signal.value }
            impatient.cancel()
            for _ in 0..<16 { semaphore.signal() }
            for handle in blocked { try await handle.value }
        }

        /// An admitted step resumed on a cooperative thread before it went on to its context.
        @Test(.timeLimit(.minutes(60)))
        func `steps begin although all cooperative threads wait for them`() async throws {
            let serial = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            let runs = Locked(0)
            let begin: [@Sendable () async throws -> Void] = [
                { serial.beginUpdate { _ in runs.withLock { $0 += 1 } } },
                { serial.beginUpdate { _ async in runs.withLock { $0 += 1 } } },
                { try await serial.update { _ in runs.withLock { $0 += 1 } } },
                { try await serial.beginUpdate { _ in runs.withLock { $0 += 1 } }.value },
            ]
            try await watched("steps that are begun, and then waited for") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<16 {
                        group.addTask {
                            for _ in 0..<20 {
                                try await begin[index % begin.count]()
                                try Self.block(serial)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await serial.update { _ in }
            #expect(runs.withLock { $0 } == 320)
        }

        private static func block(_ context: Context) throws { try context.beginUpdateAndWait { _ in } }

        /// A step that had waited for its parts resumed on a cooperative thread before it ended.
        @Test(.timeLimit(.minutes(60)))
        func `a step ends after its parts although all cooperative threads wait for it`() async throws {
            let serial = try Context(stack: stack, updateOrder: .serial, deadline: .seconds(3_600))
            let runs = Locked(0)
            try await watched("steps with parts") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            for _ in 0..<20 {
                                serial.beginUpdate { update in
                                    for _ in 0..<3 { update.perform { _ in runs.withLock { $0 += 1 } } }
                                }
                                try Self.block(serial)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await serial.update { _ in }
            #expect(runs.withLock { $0 } == 960)
        }
    }
#endif
