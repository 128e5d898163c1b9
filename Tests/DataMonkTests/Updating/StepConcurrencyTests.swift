#if Macros
    import DataMonk
    import Dispatch
    import Foundation
    import Testing

    /// Where a step begins and ends, and what it takes along.
    @Suite struct StepConcurrencyTests {
        @TaskLocal private static var request = "none"

        private let stack: Stack

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
        }

        // MARK: Beginning

        @Test func `an update of a task that was cancelled before does not run`() async throws {
            let context = try Context(stack: stack)
            let runs = Locked(0)
            for _ in 0..<100 {
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await context.update { _ in runs.withLock { $0 += 1 } }
                }
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(runs.withLock { $0 } == 0)
        }

        @Test func `an update that is cancelled while another one has its turn does not run`() async throws {
            let context = try Context(stack: stack, updateOrder: .serial)
            let (isIn, mayEnd) = (Meeting(), Meeting())
            let first = context.beginUpdate { _ in
                isIn.open()
                await mayEnd.wait()
            }
            await isIn.wait()
            let runs = Locked(0)
            let handles = (0..<100).map { _ in context.beginUpdate { _ in runs.withLock { $0 += 1 } } }
            for handle in handles { handle.cancel() }
            mayEnd.open()
            try await first.value
            for handle in handles { await #expect(throws: CancellationError.self) { try await handle.value } }
            #expect(runs.withLock { $0 } == 0)
        }

        @Test func `an update that is begun keeps the task-local values of who began it`() async throws {
            let context = try Context(stack: stack)
            let seen = Locked("")
            let handle = Self.$request.withValue("request 7") {
                context.beginUpdate { _ in seen.withLock { $0 = Self.request } }
            }
            try await handle.value
            #expect(seen.withLock { $0 } == "request 7")
        }

        // MARK: Going on

        /// It ran beside the body, on another thread.
        @Test(.timeLimit(.minutes(60)))
        func `perform in an update that is waited for comes after it`() async throws {
            let context = try Context(stack: stack)
            for _ in 0..<20 {
                let handles = Locked<[UpdateHandle]>([])
                try await onThread {
                    try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                        let handle = update.perform { update in
                            for _ in 0..<300 { try update.create(Office.Employee.self).name = "later" }
                            try update.commit()
                        }
                        handles.withLock { $0.append(handle) }
                        for _ in 0..<300 { try update.create(Office.Employee.self).name = "now" }
                        try update.commit()
                        #expect(try update.count(Office.Employee.self, %"name" == "later") % 300 == 0)
                    }
                }
                for handle in handles.withLock({ $0 }) { try await handle.value }
            }
            #expect(try await context.read { try $0.count(Office.Employee.self) } == 20 * 600)
        }

        /// **Shared.** Keeps what should not be kept.
        private final class Keeper: @unchecked Sendable {
            // @unchecked Sendable: set before it is read, by tests that are to stop.
            var update: Update?
            var reader: Reader?
        }

        @Test func `an update that has ended goes on by perform alone`() async throws {
            let context = try Context(stack: stack)
            let keeper = Keeper()
            try await context.update { keeper.update = $0 }
            let update = try #require(keeper.update)
            try await update.perform { update in
                try update.create(Office.Employee.self).name = "Monk"
                try update.commit()
            }.value
            #expect(try await context.read { try $0.count(Office.Employee.self) } == 1)
        }

        @Test(arguments: [true, false])
        func `any other call on an update or a read that has ended stops the program`(isUpdate: Bool) async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isUpdate] in
                let stack = Stack(model: try Office.model.get())
                try stack.addInMemoryStore()
                let context = try Context(stack: stack)
                let keeper = Keeper()
                if isUpdate {
                    try await context.update { keeper.update = $0 }
                    _ = try keeper.update?.create(Office.Employee.self)
                } else {
                    try await context.read { keeper.reader = $0 }
                    _ = try keeper.reader?.count(Office.Employee.self)
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("after its body had returned"))
        }

        // MARK: Observing

        @Test @MainActor func `observers know nothing of the task that committed`() async throws {
            let world = try MainContext(stack: stack, updateOrder: .serial)
            let heard = Meeting()
            let seen = Locked("")
            let observer = world.observeCommit {
                seen.withLock { $0 = Self.request }
                heard.open()
            }
            try await Self.$request.withValue("a secret") {
                try await world.update { update in
                    _ = try update.create(Office.Employee.self)
                    try update.commit()
                }
            }
            await heard.wait()
            #expect(seen.withLock { $0 } == "none")
            observer.cancel()
        }

        @Test @MainActor func `observers must not block for an update that goes on after its commit`() async throws {
            let world = try MainContext(stack: stack, updateOrder: .serial)
            let heard = Meeting()
            let code = Locked<UpdateError.Code?>(nil)
            let observer = world.observeCommit {
                do {
                    try world.beginUpdateAndWait { _ in }
                } catch {
                    code.withLock { $0 = (error as? UpdateError)?.code }
                }
                heard.open()
            }
            try await world.update { update in
                _ = try update.create(Office.Employee.self)
                try update.commit()
                await heard.wait()
            }
            #expect(code.withLock { $0 } == .wouldDeadlock)
            observer.cancel()
        }

        @Test @MainActor func `commits that come while the main actor is busy are told by one call`() async throws {
            let context = try Context(stack: stack)
            let calls = Locked(0)
            let observer = context.observeCommit { calls.withLock { $0 += 1 } }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for _ in 0..<200 {
                    // Reason for try?: the count below says whether all were committed.
                    try? context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                        _ = try update.create(Office.Employee.self)
                        try update.commit()
                    }
                }
                done.signal()
            }
            func holdMainActor() { done.wait() }
            holdMainActor()
            #expect(calls.withLock { $0 } == 0)
            while calls.withLock({ $0 }) == 0 { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            #expect(calls.withLock { $0 } == 1)
            #expect(try await context.read { try $0.count(Office.Employee.self) } == 200)
            observer.cancel()
        }

        @Test func `more commits than wait are told as everything`() async throws {
            let context = try Context(stack: stack)
            var commits = context.commits.makeAsyncIterator()
            for _ in 0..<1_026 {
                try await context.update { update in
                    _ = try update.create(Office.Employee.self)
                    try update.commit()
                }
            }
            let lost = try #require(await commits.next())
            #expect(lost.isEverything && lost.inserted.isEmpty)
            let next = try #require(await commits.next())
            #expect(!next.isEverything && next.inserted.count == 1)
        }
    }
#endif
