#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Many at once. `DATAMONK_SCALE=10` for the full numbers.
    @Suite(.serialized, .inOwnProcess) struct `Concurrency at scale` {
        private static let scale =
            ProcessInfo.processInfo.environment["DATAMONK_SCALE"].flatMap { Int($0) } ?? 1

        private let folder: TemporaryFolder
        private let stack: Stack

        init() async throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Office.model.get())
            stack.deadline = .seconds(600)
            try await stack.addStore(.database(fileURL: folder.file("office.sqlite"), synchronous: .normal))
        }

        private func count() async throws -> Int {
            try await Context(stack: stack).read { try $0.count(Office.Employee.self) }
        }

        @Test(arguments: [UpdateOrder.default, .serial])
        func `a thousand updates begun at once, each with a commit, end`(order: UpdateOrder) async throws {
            let context = try Context(stack: stack, updateOrder: order)
            let number = 1_000 * Self.scale
            let handles = (0..<number).map { number in
                context.beginUpdate { update in
                    try update.create(Office.Employee.self).age = number
                    await Task.yield()
                    try update.commit()
                }
            }
            for handle in handles { try await handle.value }
            #expect(try await count() == number)
        }

        @Test(arguments: [UpdateOrder.default, .serial])
        func `two hundred threads that wait in commits do not stop the writer`(order: UpdateOrder) async throws {
            let context = try Context(stack: stack, updateOrder: order)
            let number = 200 * Self.scale
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<number {
                    group.addTask {
                        try await onThread {
                            try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                                _ = try update.create(Office.Employee.self)
                                try update.commit()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await count() == number)
        }

        @Test func `a thousand observers hear of the last commit and do not starve the writer`() async throws {
            let context = try Context(stack: stack)
            let commits = 10 * Self.scale
            let isLast = Locked(false)
            let heard = Locked(Set<Int>())
            let all = Meeting()
            let observers = (0..<1_000).map { number in
                context.observeCommit {
                    guard isLast.withLock({ $0 }) else { return }
                    if heard.withLock({
                        $0.insert(number); return $0.count
                    }) == 1_000 {
                        all.open()
                    }
                }
            }
            for number in 1...commits {
                if number == commits { isLast.withLock { $0 = true } }
                try await context.update { update in
                    _ = try update.create(Office.Employee.self)
                    try update.commit()
                }
            }
            #expect(try await count() == commits)
            await all.wait()
            for observer in observers { observer.cancel() }
        }
    }
#endif
