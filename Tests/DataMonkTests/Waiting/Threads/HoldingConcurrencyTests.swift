#if Macros
    import DataMonk
    import Dispatch
    import Foundation
    import Testing

    /// Steps that are waited for hold the executor of their context.
    @Suite struct `Concurrency of holding` {
        private let steps: UpdateContext
        private let stack: Stack

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
            // Longer than a crowd of other tests takes.
            steps = try Context(stack: stack, deadline: .seconds(3_600)).beginUpdateContext()
        }

        @Test func `the runtime knows that a waiting step is on its context`() throws {
            let steps = steps
            try steps.performAndWait { update in
                let count = try steps.assumeIsolated { _ in try steps.performAndWait { $0.hasChanges ? 1 : 0 } }
                #expect(count == 0)
                try update.create(Office.Employee.self).name = "Monk"
                try update.commit()
            }
        }

        /// A task on the context's executor, which outlives the step that began it.
        private static func later(
            _ mayGo: Meeting, isolation: isolated (any Actor)? = #isolation,
            _ body: @escaping @Sendable () -> Void
        ) -> Task<Void, Never> {
            Task {
                _ = isolation
                await mayGo.wait()
                body()
            }
        }

        @Test func `a task that a helper has left on the context waits for a step that holds it`() async throws {
            for _ in 0..<20 {
                let (mayGo, isAtWork, wasBeside) = (Meeting(), Locked(false), Locked(false))
                let task = try await steps.perform { _ in
                    Self.later(mayGo) { if isAtWork.withLock({ $0 }) { wasBeside.withLock { $0 = true } } }
                }
                try await onThread { [steps] in
                    try steps.performAndWait { _ in
                        isAtWork.withLock { $0 = true }
                        mayGo.open()
                        for _ in 0..<2_000 { sched_yield() }
                        isAtWork.withLock { $0 = false }
                    }
                }
                await task.value
                #expect(!wasBeside.withLock { $0 })
            }
        }

        @Test func `steps of both kinds by turns lose nothing`() async throws {
            let steps = steps
            try await steps.perform { update in
                try update.create(Office.Employee.self).name = "Monk"
                try update.commit()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await steps.perform { update in
                            let monk = try update.fetch(Office.Employee.self)
                            let name = monk.name
                            await Task.yield()
                            monk.name = name + "."
                        }
                    }
                    group.addTask {
                        try await onThread {
                            try steps.performAndWait { update in
                                let monk = try update.fetch(Office.Employee.self)
                                monk.name += "."
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let length = try await steps.perform { update in
                defer { update.rollback() }
                return try update.fetch(Office.Employee.self).name.count
            }
            #expect(length == 104)
        }

        /// They begin on the context, and the body may have returned by then.
        @Test func `parts that nobody awaits run in their step or after it`() async throws {
            let steps = steps
            for _ in 0..<100 {
                let handles = Locked<[UpdateHandle]>([])
                try await steps.perform { update in
                    for _ in 0..<3 {
                        let handle = update.perform { update in
                            _ = try update.create(Office.Employee.self)
                            await Task.yield()
                            try update.commit()
                        }
                        handles.withLock { $0.append(handle) }
                    }
                }
                for handle in handles.withLock({ $0 }) { try await handle.value }
            }
            #expect(try await steps.perform { try $0.count(Office.Employee.self) } == 300)
        }
    }
#endif
