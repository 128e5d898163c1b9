#if Postgres
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// **Value.** The lines that the processes of a bank have written, and what must hold of them and of the tables.
    struct BankReports {
        var processes: [Int: (pid: Int32, isLast: Bool)] = [:]
        var transfers: Set<String> = []
        /// The number of transfers that were acknowledged, by process.
        var transferCounts: [Int: Int] = [:]
        private let path: String
        private var readCount: UInt64 = 0
        /// The number of the test's own lines so far.
        private var part = 0
        private var appended: [String] = []
        private var failureCount = 0
        private var contradictions: [String] = []
        /// The journals that each process has seen since the last line of the test.
        private var seen: [Sighting: Int] = [:]
        /// The times that a process has reported a lost commit, by process and number of the test's lines before.
        private var losses: [Place: Int] = [:]

        /// **Value.** A process, and the number of the test's lines before.
        private struct Place: Hashable {
            let seat: Int
            let part: Int
        }

        private struct Sighting: Hashable {
            let place: Place
            let digest: Substring
        }

        init(at path: String) throws {
            self.path = path
            try readOn()
        }

        /// Reads the lines that were written since the last call.
        mutating func readOn() throws {
            let file = try #require(FileHandle(forReadingAtPath: path))
            try file.seek(toOffset: readCount)
            let written = try file.readToEnd() ?? Data()
            // The last line may be incomplete.
            let lines = written[..<(written.lastIndex(of: UInt8(ascii: "\n")) ?? written.startIndex)]
            readCount += UInt64(lines.count)
            for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 2)
                guard words.count > 2, let seat = Int(words[0]) else {
                    part += 1
                    continue
                }
                take(words[1], String(words[2]), of: seat, Place(seat: seat, part: part))
            }
        }

        private mutating func take(_ word: Substring, _ text: String, of seat: Int, _ place: Place) {
            switch word {
            case "began": processes[seat] = (Int32(text) ?? 0, false)
            case "began-last": processes[seat] = (Int32(text) ?? 0, true)
            case "transferred":
                transfers.insert(text)
                transferCounts[seat, default: 0] += 1
            case "appended": appended.append(text)
            case "failed": failureCount += 1
            case "saw":
                let words = text.split(separator: " ", maxSplits: 1)
                if let digest = words.first { seen[Sighting(place: place, digest: digest), default: 0] += 1 }
            case "lost": losses[place, default: 0] += 1
            default: contradictions.append(text)
            }
        }

        var summary: String {
            """
            \(transfers.count) transfers, \(appended.count) appends, \(failureCount) failures, \
            \(seen.values.reduce(0, +)) looks, \(losses.values.reduce(0, +)) reports of commits lost after they were read
            """
        }

        /// The receipts are those that were acknowledged, and some of calls without an answer; they explain all balances.
        ///
        /// - Parameter endedCalls: The number of calls at most that ended with their process.
        func checkBooks(on connection: PostgresConnection, endedCalls: Int) throws {
            #expect(contradictions.isEmpty, "\(contradictions)")
            func run(_ sql: String) throws -> PostgresResult {
                try connection.run(PostgresStatement(sql), until: farDeadline)
            }
            let found = try run("SELECT code, source, destination, amount FROM bank.bank_receipt")
            let codes = try found.column(of: String.self)
            #expect(Set(codes).count == codes.count)
            #expect(transfers.subtracting(codes).isEmpty, "of \(transfers.count)")
            #expect(codes.count <= transfers.count + failureCount + endedCalls)
            var balances = Array(repeating: Int64(ServerBank.deposit), count: ServerBank.accounts)
            for row in 0..<found.rowCount {
                let amount = try found.required(Int64.self, row: row, column: 3)
                balances[Int(try found.required(Int64.self, row: row, column: 1))] -= amount
                balances[Int(try found.required(Int64.self, row: row, column: 2))] += amount
            }
            #expect(try run("SELECT balance FROM bank.bank_account ORDER BY number").column(of: Int64.self) == balances)
            let versions = try run("SELECT sum(_version - 1)::int8 FROM bank.bank_account").column(of: Int64.self)
            #expect(versions == [Int64(2 * codes.count)])
            let journal = try #require(run("SELECT codes FROM bank.bank_journal").column(of: String.self).first)
            try checkJournal(journal)
            try checkHistory(transferCount: codes.count, appendCount: journal.split(separator: " ").count, run)
        }

        /// The history has each transfer and each append once, behind the opening of the accounts.
        private func checkHistory(
            transferCount: Int, appendCount: Int, _ run: (String) throws -> PostgresResult
        ) throws {
            let numbers = try run("SELECT number FROM bank._history ORDER BY 1").column(of: Int64.self)
            #expect(numbers == (1...Int64(1 + transferCount + appendCount)).map { $0 })
            let recorded = try run(
                """
                SELECT object FROM bank._history_changes JOIN bank._entities ON number = entity \
                WHERE name = 'BankReceipt' AND type = 0 ORDER BY 1
                """)
            let receipts = try run("SELECT _id FROM bank.bank_receipt ORDER BY 1")
            #expect(try recorded.column(of: Int64.self) == receipts.column(of: Int64.self))
            let changes = try run("SELECT count(*) FROM bank._history_changes").column(of: Int64.self)
            #expect(changes == [Int64(ServerBank.accounts + 1 + 3 * transferCount + appendCount)])
        }

        /// The journal has all appends that were acknowledged, each once. What was seen of it is its beginning, unless the
        /// process has reported that commits were lost which it had read.
        private func checkJournal(_ journal: String) throws {
            let codes = journal.split(separator: " ").map(String.init)
            #expect(Set(codes).count == codes.count)
            #expect(Set(appended).subtracting(codes).isEmpty, "of \(appended.count)")
            var (beginnings, beginning) = (Set([ServerBank.digest("")]), "")
            for code in codes {
                beginning += " " + code
                beginnings.insert(ServerBank.digest(beginning))
            }
            let others = seen.keys.filter { !beginnings.contains(String($0.digest)) }
            let unexplained = others.filter { losses[$0.place] == nil }
            #expect(unexplained.isEmpty, "of \(seen.count), \(others.count) others")
        }
    }
#endif
