#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// Processes of the bank that are killed or stopped at any statement of a transfer: the others go on, or are told that
    /// the store is locked, and no money comes or goes.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct `An interrupted writer` {
        private let folder: TemporaryFolder
        private let url: URL

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("bank.sqlite")
            let stack = try Bank.openStack(at: url)
            try stack.openAccounts(8)
            try stack.close()
        }

        private func expectBalance() throws {
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
            #expect(try connection.int64("SELECT sum(ZBALANCE) FROM ZBANKACCOUNT") == Int64(8 * Bank.deposit))
            #expect(try connection.text("PRAGMA quick_check") == "ok")
        }

        private func run(_ plan: BankPlan) async {
            await #expect(processExitsWith: .success, "process \(plan.seat), seed \(plan.seed)") {
                [plan = plan as BankPlan] in
                try await plan.runReporting()
            }
            let report = FileManager.default.contents(atPath: plan.reportURL.path)
            #expect(report.map { String(decoding: $0, as: UTF8.self) } == nil, "process \(plan.seat)")
        }

        @Test func `that is killed leaves the others at work`() async throws {
            let seed: UInt64 = 1
            print("Killed writers beside a bank, seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let statements = (0..<6).map { _ in Int.random(in: 1...12, using: &random) }
            let url = url
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<2 {
                    let plan = BankPlan(url: url, seat: seat, accounts: 8, transfers: 40, seed: seed + UInt64(seat))
                    group.addTask { await run(plan) }
                }
                group.addTask {
                    for statement in Set(statements).sorted() {
                        let life = InterruptedTransfer(url: url, signal: SIGKILL, statement: statement)
                        await #expect(processExitsWith: .signal(SIGKILL), "statement \(statement), seed \(seed)") {
                            [life = life as InterruptedTransfer] in try life.run()
                        }
                    }
                }
            }
            try expectBalance()
        }

        /// Before its transaction begins, inside it, and behind it.
        @Test func `that is stopped is waited for, then told of, and nothing of it is lost`() async throws {
            var hasMetLock = false
            let stack = try Bank.openStack(at: url, busyTimeout: .milliseconds(50))
            for statement in 1...6 {
                let life = InterruptedTransfer(url: url, signal: SIGSTOP, statement: statement)
                // On a thread of its own, since this task has to go on before the process ends.
                let exit = Task(executorPreference: ThreadExecutor()) {
                    await #expect(processExitsWith: .success, "statement \(statement)") {
                        [life = life as InterruptedTransfer] in try life.run()
                    }
                }
                let pid = try await stoppedProcess(of: life)
                // Readers read, whatever it holds.
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                let accounts = try context.fetch(FetchRequest(entityName: "BankAccount"))
                #expect(accounts.compactMap { ($0 as? Bank.Account)?.balance }.reduce(0, +) == 8 * Bank.deposit)
                do {
                    try stack.transfer(1, from: 2, to: 3)
                } catch let error as StoreError {
                    #expect(error.code == .locked)
                    hasMetLock = true
                }
                try life.resume(pid)
                _ = await exit.value
                try stack.transfer(1, from: 2, to: 3)
                try expectBalance()
            }
            #expect(hasMetLock)
        }

        @Test func `that is stopped for a while costs the others nothing but time`() async throws {
            let url = url
            let seed: UInt64 = 1
            print("Stopped writers beside a bank, seed \(seed)")
            await withTaskGroup(of: Void.self) { group in
                for seat in 0..<2 {
                    let plan = BankPlan(
                        url: url, seat: seat, accounts: 8, transfers: 40, seed: seed + UInt64(seat),
                        patienceInMilliseconds: 20)
                    group.addTask { await run(plan) }
                }
                group.addTask {
                    for statement in [2, 3, 4, 5] {
                        let life = InterruptedTransfer(url: url, signal: SIGSTOP, statement: statement)
                        // All of Swift's threads may be reading what the others print, until these end.
                        let isOver = Locked(false)
                        startThread { Self.resumeOnceStopped(life) { isOver.withLock(\.self) } }
                        await #expect(processExitsWith: .success, "statement \(statement)") {
                            [life = life as InterruptedTransfer] in try life.run()
                        }
                        isOver.withLock { $0 = true }
                    }
                }
            }
            try expectBalance()
        }

        /// Waits on this thread until the process is stopped, and lets it go on after some of the others' attempts.
        private static func resumeOnceStopped(_ life: InterruptedTransfer, unless isOver: () -> Bool) {
            var pid: pid_t?
            while pid == nil, !isOver() {
                sched_yield()
                let text = FileManager.default.contents(atPath: life.pidURL.path)
                pid = text.flatMap { pid_t(String(decoding: $0, as: UTF8.self)) }
            }
            for _ in 0..<20_000 { sched_yield() }
            // Reason for try?: a process that does not go on fails its test by the time limit.
            if let pid { try? life.resume(pid) }
        }

        /// Waits until the process has come to its statement: it does not go on before it is told to.
        private func stoppedProcess(of life: InterruptedTransfer) async throws -> pid_t {
            while true {
                try Task.checkCancellation()
                if let text = FileManager.default.contents(atPath: life.pidURL.path) {
                    return try #require(pid_t(String(decoding: text, as: UTF8.self)))
                }
                await Task.yield()
            }
        }
    }
#endif
