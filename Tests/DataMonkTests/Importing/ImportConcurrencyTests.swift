#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Imports beside one another, beside updates, and under a serial order.
    @Suite struct `Imports at once` {
        private func rows(_ ids: some Sequence<Int>, name: String) -> [ImportRow] {
            [ImportRow](ids.map { ["id": .int(Int64($0)), "login": .string(name), "issues": [.int(Int64($0 % 3))]] })
        }

        @Test(arguments: [UpdateOrder.default, .serial])
        func `of the same keys make one object for each, and count each row once`(order: UpdateOrder) async throws {
            let tracker = try Tracker(updateOrder: order)
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (20, 3)
            let reports = try await withThrowingTaskGroup(of: ImportReport.self) { group in
                for number in 0..<3 {
                    let ids = number == 1 ? Array((0..<200).reversed()) : Array(0..<200)
                    group.addTask { [options] in
                        try await tracker.stack.importRows(
                            Tracker.User.self, from: rows(ids, name: "\(number)").stream(), options: options)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reports.map(\.rows) == [200, 200, 200])
            #expect(reports.reduce(0) { $0 + $1.inserted } == 200 && reports.allSatisfy { $0.failed == 0 })
            #expect(try await tracker.count(Tracker.User.self) == 200)
            #expect(try await tracker.count(Tracker.Issue.self) == 3)
        }

        @Test func `of keys that the model does not declare unique make one object for each too`() async throws {
            let tracker = try Tracker()
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (7, 4)
            let rows = [ImportRow]((0..<70).map { ["id": .int(Int64($0 % 10)), "place": .int(Int64($0))] })
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask { [options] in
                        _ = try await tracker.stack.importRows(Tracker.Step.self, from: rows.stream(), options: options)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await tracker.count(Tracker.Step.self) == 10)
        }

        @Test func `run a chunk again over what an update has committed meanwhile`() async throws {
            let registrar = try Registrar()
            try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 1, "age": 1]])
            let context = try Context(stack: registrar.stack)
            let hasCommitted = Locked(false)
            // Between the query for the guest and the commit of its row.
            let commit: @Sendable () throws -> Void = {
                if hasCommitted.withLock({ flag in
                    defer { flag = true }; return flag
                }) {
                    return
                }
                try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                    try update.fetch(Registrar.Guest.self, %"id" == 1).email = "meanwhile"
                    try update.create(Registrar.Guest.self).id = 2
                    try update.commit()
                }
            }
            let report = try await Registrar.$duringImport.withValue(ImportHook(commit)) {
                try await registrar.stack.importRows(
                    Registrar.Guest.self, from: [["id": 1, "age": 2], ["id": 2, "age": 3]])
            }
            #expect(report.line == "0 2 0 0 0", "\(report.failures)")
            let guests = try await context.read { reader in
                try reader.fetchAll(Registrar.Guest.self, orderBy: .Ascending("id")).map {
                    "\($0.id) \($0.age) \($0.email ?? "-")"
                }
            }
            #expect(guests == ["1 2 meanwhile", "2 3 -"])
        }

        @Test func `end after as many conflicts as the options say, and tell how far they came`() async throws {
            let registrar = try Registrar()
            try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 1], ["id": 2]])
            let context = try Context(stack: registrar.stack)
            let attempts = Locked(0)
            // Each attempt to write the second guest meets another commit.
            let disturb: @Sendable () throws -> Void = {
                let number = attempts.withLock { number in
                    number += 1
                    return number
                }
                try context.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                    try update.fetch(Registrar.Guest.self, %"id" == 2).email = "\(number)"
                    try update.commit()
                }
            }
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight, options.retries) = (1, 1, 2)
            let rows = [ImportRow]([["id": 1, "age": 5], ["id": 2, "age": 6]])
            var error: ImportError?
            do {
                try await Registrar.$duringImport.withValue(ImportHook(disturb)) {
                    _ = try await registrar.stack.importRows(
                        Registrar.Guest.self, from: rows.stream(), options: options)
                }
            } catch let thrown as ImportError { error = thrown }
            #expect(error?.code == .commitFailed && error?.report?.nextIndex == 1 && error?.report?.updated == 1)
            #expect((error?.underlyingError as? SaveError)?.code == .mergeConflict)
            // One of the first guest, and one more than the retries of the second.
            #expect(attempts.withLock { $0 } == 4)
        }

        @Test func `inside of an update of a serial order are refused, and end`() async throws {
            let tracker = try Tracker(updateOrder: .serial)
            let error = await #expect(throws: UpdateError.self) {
                try await Context(stack: tracker.stack).update { _ in
                    _ = try await tracker.stack.importRows(Tracker.User.self, from: rows([1], name: "a").stream())
                }
            }
            #expect(error?.code == .wouldDeadlock)
        }

        @Test(.timeLimit(.minutes(60))) func `that wait for the keys of another one can be cancelled`() async throws {
            let registrar = try Registrar()
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let hold: @Sendable () throws -> Void = {
                beginning.yield()
                gate.wait()
            }
            let first = Task {
                try await Registrar.$duringImport.withValue(ImportHook(hold)) {
                    try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 1]])
                }
            }
            for await _ in begun { break }
            let second = Task {
                let isSecond = Locked(false)
                let rows = AsyncStream<ImportRow> {
                    // The chunk of the first row has been begun when the second one is asked for.
                    guard
                        isSecond.withLock({ flag in
                            defer { flag = true }
                            return flag
                        })
                    else { return ImportRow(at: ImportPlace(index: 0), values: ["id": 1]) }
                    withUnsafeCurrentTask { $0?.cancel() }
                    return nil
                }
                var options = ImportOptions()
                options.chunkSize = 1
                return try await registrar.stack.importRows(Registrar.Guest.self, from: rows, options: options)
            }
            await #expect(throws: CancellationError.self) { try await second.value }
            gate.signal()
            #expect(try await first.value.line == "1 0 0 0 0")
        }

        @Test(.timeLimit(.minutes(60))) func `that are cancelled leave the way to those behind them`() async throws {
            let registrar = try Registrar()
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let hold: @Sendable () throws -> Void = {
                beginning.yield()
                gate.wait()
            }
            let first = Task {
                try await Registrar.$duringImport.withValue(ImportHook(hold)) {
                    try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 1]])
                }
            }
            for await _ in begun { break }
            // Waits for one key, and keeps others waiting for the other one.
            let second = Task {
                try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 1], ["id": 2]])
            }
            let third = Task { try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 2]]) }
            let fourth = Task {
                try await registrar.stack.importRows(Registrar.Guest.self, from: [["id": 2], ["id": 3]])
            }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            let reports = try await [third.value, fourth.value]
            #expect(reports.reduce(0) { $0 + $1.inserted } == 2 && reports.allSatisfy { $0.failed == 0 })
            gate.signal()
            #expect(try await first.value.line == "1 0 0 0 0")
        }

        @Test func `that are cancelled keep whole chunks`() async throws {
            let tracker = try Tracker()
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (10, 1)
            let task = Locked<Task<ImportReport, any Error>?>(nil)
            let committed = Locked(0)
            let (signal, continuation) = AsyncStream<Void>.makeStream()
            options.progress = { report in
                committed.withLock { $0 = report.nextIndex }
                if report.nextIndex == 30 { task.withLock { $0?.cancel() } }
            }
            let all = rows(0..<100, name: "a")
            task.withLock { [options] task in
                task = Task {
                    for await _ in signal { break }
                    return try await tracker.stack.importRows(Tracker.User.self, from: all.stream(), options: options)
                }
            }
            continuation.finish()
            let running = try #require(task.withLock { $0 })
            await #expect(throws: CancellationError.self) { try await running.value }
            let count = try await tracker.count(Tracker.User.self)
            #expect(count == committed.withLock { $0 } && count >= 30 && count < 100)
        }

        @Test func `of an update that is cancelled end, though their input ends as if it were whole`() async throws {
            let tracker = try Tracker()
            let count = Locked(0)
            let input = AsyncStream<ImportRow> {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number < 3 {
                    return ImportRow(at: ImportPlace(index: number - 1), values: ["id": .int(Int64(number))])
                }
                withUnsafeCurrentTask { $0?.cancel() }
                return nil
            }
            let task = Task {
                try await tracker.context.update { update in
                    try await update.import(Tracker.User.self, from: input)
                    try update.commit()
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await tracker.count(Tracker.User.self) == 0)
        }

        @Test func `of an update that is cancelled end with the chunk`() async throws {
            let tracker = try Tracker()
            let all = rows(0..<10, name: "a")
            let told = Locked<[Int]>([])
            let task = Task {
                try await tracker.context.update { update in
                    var options = ImportOptions()
                    options.chunkSize = 2
                    options.progress = { report in
                        told.withLock { $0.append(report.rows) }
                        if report.rows == 4 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                    #expect(throws: CancellationError.self) {
                        try update.import(Tracker.User.self, from: all, options: options)
                    }
                }
            }
            _ = await task.result
            #expect(told.withLock { $0 } == [2, 4])
        }

        @Test func `of an update that is cancelled within a chunk end as cancelled`() async throws {
            let stack = try Bookkeeping.stack()
            let task = Task {
                try await Context(stack: stack).update { update in
                    let rows: [[String: any Sendable]] = [["id": 1, "order": "cancel"], ["id": 2, "title": ""]]
                    try update.import(Bookkeeping.Entry.self, from: rows)
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
#endif
