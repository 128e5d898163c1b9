#if Macros
    import DataMonk
    import Dispatch
    import Foundation
    import Testing

    /// Steps that end, are cancelled, or wait for themselves.
    @Suite(.inOwnProcess) struct `Concurrency of the ends of steps` {
        private let stack: Stack
        private let context: Context

        init() throws {
            stack = Stack(model: try Office.model.get())
            stack.deadline = .milliseconds(200)
            try stack.addInMemoryStore()
            context = try Context(stack: stack, updateOrder: .serial)
        }

        /// The handle of an update for its own body, which gets it after it has begun.
        private func handleOfItself(
            _ body: @escaping @Sendable (UpdateHandle) async throws -> Void
        ) async throws {
            let (handle, isKnown) = (Locked<UpdateHandle?>(nil), Meeting())
            let update = context.beginUpdate { _ in
                await isKnown.wait()
                try await body(try #require(handle.withLock { $0 }))
            }
            handle.withLock { $0 = update }
            isKnown.open()
            try await update.value
        }

        @Test func `an update that awaits its own handle is refused at once`() async throws {
            let error = await #expect(throws: UpdateError.self) {
                try await handleOfItself { handle in try await handle.value }
            }
            #expect(error?.code == .wouldDeadlock)
        }

        @Test func `an update that awaits a task that awaits its handle ends`() async throws {
            let error = await #expect(throws: UpdateError.self) {
                try await handleOfItself { handle in try await Task { try await handle.value }.value }
            }
            #expect(error?.code == .deadlinePassed)
        }

        @Test func `a task that an update has begun awaits its end`() async throws {
            // Looks for a wait that cannot end take place at a part of the deadline; a pause of the machine must not look like one.
            stack.deadline = .seconds(60)
            let task = Locked<Task<Void, any Error>?>(nil)
            try await handleOfItself { handle in
                task.withLock { $0 = Task { try await handle.value } }
            }
            try await task.withLock { $0 }?.value
        }

        @Test func `a blocking form of a cancelled task does not run`() async throws {
            let ran = Locked(false)
            let context = context
            let isCancelled = Meeting()
            let task = Task {
                await isCancelled.wait()
                try Self.block(context) { ran.withLock { $0 = true } }
            }
            task.cancel()
            isCancelled.open()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!ran.withLock { $0 })
        }

        private static func block(_ context: Context, _ body: @Sendable () -> Void) throws {
            try context.beginUpdateAndWait { _ in body() }
        }

        @Test func `code on the context's executor is refused a step that would hold it`() async throws {
            let steps = context.beginUpdateContext()
            let (isIn, mayEnd) = (Meeting(), Meeting())
            let holder = steps.beginPerform { _ in
                isIn.open()
                await mayEnd.wait()
            }
            await isIn.wait()
            let error = await #expect(throws: UpdateError.self) { try await steps.blockInside() }
            #expect(error?.code == .wouldDeadlock)
            mayEnd.open()
            try await holder.value
        }

        /// A step that waits for a part of it, while the task prefers an executor of its own.
        @Test func `the end of a part is not missed`() async throws {
            for _ in 0..<200 {
                try await withTaskExecutorPreference(OneThread.shared) {
                    try await context.update { update in
                        update.perform { part in _ = try part.create(Office.Employee.self) }
                        update.rollback()
                    }
                }
            }
        }

        @Test func `of two threads that wait for each other's update one goes on`() async throws {
            for _ in 0..<200 {
                let (left, right) = (UpdateGate(), UpdateGate())
                let gates = [left, right]
                let parties = [UpdateCall("left"), UpdateCall("right")].map { WaitParticipant($0, canSuspend: false) }
                let tickets = try (0..<2).map { try gates[$0].enterAndWait(by: parties[$0]) }
                let refused = Locked(0)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<2 {
                        group.addTask {
                            try await onThread {
                                do {
                                    let other = try gates[1 - index].enterAndWait(by: parties[index])
                                    gates[1 - index].leave(other)
                                } catch GateError.wouldDeadlock {
                                    refused.withLock { $0 += 1 }
                                }
                                gates[index].leave(tickets[index])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(refused.withLock { $0 } == 1)
                #expect(refused.withLock { $0 } < 2)
            }
        }
    }

    extension UpdateContext {
        fileprivate func blockInside() throws { try performAndWait { _ in } }
    }

    /// An executor that runs jobs one after the other on a thread of Dispatch.
    private final class OneThread: TaskExecutor {
        static let shared = OneThread()
        private let queue = DispatchQueue(label: "one thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
