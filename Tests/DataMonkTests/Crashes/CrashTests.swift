#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// A process that commits is killed; whoever opens the file next finds every acknowledged commit, whole.
    ///
    /// Every other round dies before a statement chosen at random, the rest at a random time. All rounds of a test go on
    /// with the same file, as a program does that is started again.
    @Suite(.serialized) struct `A killed process` {
        @Test(arguments: [1, 4], [true, false])
        func `leaves every acknowledged commit, and nothing torn`(writers: Int, waitsForDisk: Bool) async throws {
            let seed: UInt64 = 1
            print("Crash test with \(writers) writers, waits for disk: \(waitsForDisk), seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            var found: [Int: Int] = [:]
            for round in 0..<13 {
                var plan = CrashPlan(folder: folder.url, writers: writers, waitsForDisk: waitsForDisk)
                if round.isMultiple(of: 2) {
                    plan.lastStatement = Int.random(in: 1...400, using: &random)
                } else {
                    plan.lifetime = Double.random(in: 0.01...0.25, using: &random)
                }
                await #expect(processExitsWith: .signal(SIGKILL), "round \(round), seed \(seed)") {
                    [plan = plan as CrashPlan] in
                    try await plan.run()
                }
                found = try check(plan, found, "round \(round), seed \(seed)")
            }
        }

        /// - Parameter found: the last number of each writer that was in the store the round before.
        /// - Returns: those that are in the store now.
        private func check(_ plan: CrashPlan, _ found: [Int: Int], _ round: Comment) throws -> [Int: Int] {
            let acknowledged = try acknowledgements(plan)
            let stack = Stack(model: try Ledger.model.get())
            try stack.addDatabaseStore(fileURL: plan.storeURL)
            defer { #expect(throws: Never.self) { try stack.close() } }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let writers = try context.all("LedgerWriter", Ledger.Writer.self)
            for (number, last) in acknowledged {
                #expect(writers.contains { $0.number == number && $0.last >= last }, round)
            }
            for writer in writers {
                // One commit may be in the store and not have been acknowledged.
                let most = max(acknowledged[writer.number] ?? 0, found[writer.number] ?? 0) + 1
                #expect(writer.last <= most, round)
                checkEntries(of: writer, round)
            }
            let entries = try context.all("LedgerEntry", Ledger.Entry.self)
            let parts = try context.all("LedgerPart", Ledger.Part.self)
            #expect(entries.count == writers.map { min($0.last, Ledger.kept) }.reduce(0, +), round)
            #expect(parts.count == 2 * entries.count && parts.allSatisfy { $0.entry != nil }, round)
            context.endTurn()
            let connection = try SQLiteConnection(fileURL: plan.storeURL, options: SQLiteOptions(access: .readOnly))
            #expect(try connection.text("PRAGMA integrity_check") == "ok", round)
            return Dictionary(uniqueKeysWithValues: writers.map { ($0.number, $0.last) })
        }

        private func checkEntries(of writer: Ledger.Writer, _ round: Comment) {
            let first = max(1, writer.last - Ledger.kept + 1)
            let entries = writer.entries.sorted { $0.number < $1.number }
            #expect(entries.map(\.number) == Array(first...writer.last), round)
            for entry in entries {
                #expect(entry.text == "entry \(entry.number) of \(writer.number)", round)
                #expect(entry.parts.map(\.side).sorted() == [0, 1], round)
            }
        }

        /// The last number that each writer has acknowledged.
        private func acknowledgements(_ plan: CrashPlan) throws -> [Int: Int] {
            guard FileManager.default.fileExists(atPath: plan.acknowledgementsURL.path) else { return [:] }
            var last: [Int: Int] = [:]
            let text = try String(contentsOf: plan.acknowledgementsURL, encoding: .utf8)
            for line in text.split(separator: "\n") {
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                if numbers.count == 2 { last[numbers[0]] = numbers[1] }
            }
            return last
        }
    }

    extension ManagedObjectContext {
        fileprivate func all<Object: ManagedObject>(_ name: String, _ type: Object.Type) throws -> [Object] {
            try fetch(FetchRequest(entityName: name)).compactMap { $0 as? Object }
        }
    }
#endif
