#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Rows whose objects have hooks and validation, in one chunk with others and in chunks of their own.
    @Suite struct `Hooks and failures in chunks of any size` {
        struct Case: Sendable, CustomTestStringConvertible {
            let name: String
            var present: [String] = []
            let rows: [String]
            let failed: [Int]
            var testDescription: String { name }
        }

        static let cases = [
            Case(
                name: "a hook that refuses what a failing row has left",
                rows: [#"{"id":1,"title":""}"#, #"{"id":2,"order":"refuse"}"#], failed: [0]),
            Case(
                name: "a hook that refuses what a row has left that has thrown",
                rows: [#"{"id":1,"account":1,"order":"throw"}"#, #"{"id":2,"order":"refuse"}"#], failed: [0]),
            Case(
                name: "a hook that refuses what a row has left that records nothing for undo",
                rows: [#"{"id":1,"title":"","order":"unrecorded"}"#, #"{"id":2,"order":"refuse"}"#], failed: [0]),
            Case(
                name: "a validation that refuses what a failing row has left",
                rows: [
                    #"{"id":1,"title":"","order":"label closed"}"#, #"{"id":2}"#, #"{"id":3,"title":""}"#, #"{"id":4}"#,
                ],
                failed: [0, 2]),
            Case(
                name: "an object that an earlier row's hook has inserted",
                rows: [#"{"id":1,"order":"label a"}"#, #"{"id":2,"label":{"name":"a","note":"n"}}"#], failed: []),
            Case(
                name: "an object that an earlier row's hook has given another key",
                present: [#"{"id":9,"label":"a"}"#],
                rows: [
                    #"{"id":1,"label":"a","order":"relabel a b"}"#, #"{"id":2,"label":{"name":"b","note":"n"}}"#,
                    #"{"id":3,"label":{"name":"a","note":"new"}}"#,
                ], failed: []),
            Case(
                name: "a key that a failing row's hook has changed",
                present: [#"{"id":9,"label":"a"}"#],
                rows: [
                    #"{"id":1,"title":"","order":"relabel a b"}"#, #"{"id":2,"label":"b"}"#, #"{"id":3,"label":"a"}"#,
                ], failed: [0]),
            Case(
                name: "a value that willSave spoils",
                rows: [#"{"id":1,"note":"spoil"}"#, #"{"id":1,"code":5}"#, #"{"id":2}"#], failed: [0]),
            Case(
                name: "an object that a hook deletes by a rule",
                present: [#"{"id":1,"account":1}"#, #"{"id":2,"account":1,"note":"old"}"#],
                rows: [#"{"id":1,"order":"close"}"#, #"{"id":2,"code":2}"#], failed: []),
            Case(
                name: "an object that a hook deletes by a rule, beside a failing row",
                present: [#"{"id":1,"account":1}"#, #"{"id":2,"account":1,"note":"old"}"#],
                rows: [#"{"id":1,"order":"close"}"#, #"{"id":2,"code":2}"#, #"{"id":3,"title":""}"#], failed: [2]),
            Case(
                name: "objects that a hook changes and a later row does not",
                present: [#"{"id":1,"account":1}"#],
                rows: [
                    #"{"id":1,"order":"charge"}"#, #"{"id":1}"#, #"{"id":1,"note":""}"#, #"{"id":1,"order":"count"}"#,
                ],
                failed: []),
            Case(
                name: "a unique value that its object gives up and wants again",
                present: [#"{"id":1,"code":5}"#],
                rows: [#"{"id":1,"code":null}"#, #"{"id":2,"code":5}"#, #"{"id":1,"code":5}"#], failed: [2]),
            Case(
                name: "a unique value that its object gives up and gets again",
                present: [#"{"id":1,"code":5}"#],
                rows: [
                    #"{"id":1,"code":null}"#, #"{"id":1,"code":5}"#, #"{"id":2,"code":5}"#, #"{"id":2,"note":"n"}"#,
                ], failed: [2]),
            Case(
                name: "a unique value that a failing row has taken",
                present: [#"{"id":1,"code":5}"#],
                rows: [
                    #"{"id":2,"code":7,"title":""}"#, #"{"id":3,"code":7}"#, #"{"id":4,"code":5}"#,
                    #"{"id":5,"code":6}"#,
                ], failed: [0, 2]),
            Case(
                name: "a shared object that has room for four",
                rows: (0..<7).map { "{\"id\":\($0),\"account\":1,\"order\":\"charge\"}" }, failed: [4, 5, 6]),
            Case(
                name: "a shared object that has room for four without the failing ones",
                rows: (0..<7).map {
                    "{\"id\":\($0),\"account\":1,\"order\":\"charge\",\"title\":\"\($0 % 2 == 0 ? "t" : "")\"}"
                }, failed: [1, 3, 5]),
        ]

        @Test(arguments: cases, [1, 2, 1_000])
        func `are what they are in chunks of one row`(_ example: Case, chunkSize: Int) async throws {
            let outcome = try await Bookkeeping.outcome(of: example.rows, after: example.present, chunkSize: chunkSize)
            #expect(outcome.failed == example.failed)
            let expected = try await Bookkeeping.outcome(of: example.rows, after: example.present, chunkSize: 1)
            #expect(outcome == expected)
        }

        @Test func `are told in a dry run as well`() async throws {
            let rows = [
                #"{"id":2,"note":"spoil"}"#, #"{"id":3,"code":5}"#, #"{"id":4,"title":""}"#, #"{"id":5,"code":6}"#,
            ]
            let outcome = try await Bookkeeping.outcome(
                of: rows, after: [#"{"id":1,"code":5}"#], chunkSize: 100, isDryRun: true)
            #expect(outcome.line == "1 0 0 0 3" && outcome.failed == [0, 1, 2])
            #expect(outcome.objects == ["1 5 t  - -"])
        }

        @Test(arguments: ["title", "code", "order"])
        func `are found in few attempts, though all rows share an object`(reason: String) async throws {
            let stack = try Bookkeeping.stack()
            try await stack.importRows(Bookkeeping.Entry.self, from: [["id": 1_000, "code": 7]])
            let invalid: [String: any Sendable] = ["title": "", "code": 7, "order": "throw"]
            let rows = (0..<100).map { number in
                var row: [String: any Sendable] = ["id": number, "account": 1]
                if number % 2 == 1 { row[reason] = invalid[reason] }
                return row
            }
            let calls = Locked(0)
            let report = try await Bookkeeping.$onImport.withValue(ImportHook { calls.withLock { $0 += 1 } }) {
                try await stack.importRows(Bookkeeping.Entry.self, from: rows)
            }
            #expect(report.line == "50 0 0 0 50", "\(report.failures.map(\.place.index))")
            // One as if nothing failed, five at most to find the rows that do, and one without them.
            #expect(calls.withLock { $0 } <= 7 * rows.count)
        }

        @Test func `of a chunk with hooks begin when those before it are committed`() async throws {
            let stack = try Bookkeeping.stack()
            try await stack.importRows(Bookkeeping.Entry.self, from: [["id": 1_000, "label": "a"]])
            var options = ImportOptions()
            (options.chunkSize, options.chunksInFlight) = (300, 2)
            var rows = (0..<301).map { ["id": .int($0)] as [String: ManagedValue] }
            // The next chunk is one row, which is read long before this one is written.
            rows[299]["order"] = "relabel a b"
            rows[300]["label"] = ["name": "b", "note": "found"]
            let report = try await stack.importRows(
                Bookkeeping.Entry.self, from: [ImportRow](rows).stream(), options: options)
            #expect(report.line == "301 0 0 0 0" && report.relatedInserted == 0)
        }

        // MARK: Random rows

        /// Rows about entries. No row makes up for one before it, which would be all right in one chunk with it alone.
        private struct Entries {
            private var known: Set<Int> = [0, 1, 2, 3]
            private var spoilt: Set<Int> = []
            /// The owners of codes, and the codes that somebody wanted in vain, which their owners keep.
            private var codes = [0: 0, 1: 1, 2: 2, 3: 3]
            private var contested: Set<Int> = []
            /// The entries that have wanted one in vain: another code would make up for that.
            private var refused: Set<Int> = []

            static let present = (0..<4).map { "{\"id\":\($0),\"code\":\($0),\"account\":\($0 % 2),\"label\":\"a\"}" }

            mutating func row(_ random: inout SeededGenerator) -> String {
                let id = Int.random(in: 0..<8, using: &random)
                var parts = ["\"id\":\(id)"]
                if Bool.random(using: &random) { parts.append("\"account\":\(Int.random(in: 0..<2, using: &random))") }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let label = ["a", "b", "c", "left behind"].randomElement(using: &random) ?? "a"
                    parts.append("\"label\":{\"name\":\"\(label)\",\"note\":\"\(id)\"}")
                }
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1: if let code = takeCode(of: id, &random) { parts.append("\"code\":\(code)") }
                case 2: if spoilt.insert(id).inserted { parts.append("\"title\":\"\",\"order\":\"label closed\"") }
                case 3: if spoilt.insert(id).inserted { parts.append("\"note\":\"spoil\"") }
                case 4: parts.append("\"order\":\"throw\"")
                case 5: parts.append("\"order\":\"charge\"")
                case 6: parts.append("\"order\":\"refuse\"")
                default:
                    let orders = ["label b", "relabel a b", "relabel b c", "relabel c a", "label c", "count", "count"]
                    // A note would make up for the one that spoils the title.
                    let order = orders.dropLast(spoilt.contains(id) ? 2 : 0).randomElement(using: &random) ?? ""
                    parts.append("\"order\":\"\(order)\"")
                }
                return "{\(parts.joined(separator: ","))}"
            }

            /// Returns a code for an entry, or null.
            private mutating func takeCode(of id: Int, _ random: inout SeededGenerator) -> String? {
                if refused.contains(id) { return nil }
                if let own = codes[id], contested.contains(own) { return nil }
                let code = Int.random(in: 0..<6, using: &random)
                if code == 5 {
                    codes[id] = nil
                    return "null"
                }
                if codes.contains(where: { $0.value == code && $0.key != id }) {
                    contested.insert(code)
                    refused.insert(id)
                } else {
                    codes[id] = code
                }
                return "\(code)"
            }
        }

        private static let rounds =
            ProcessInfo.processInfo.environment["DATAMONK_IMPORT_ROUNDS"].flatMap(Int.init) ?? 25

        @Test(arguments: 0..<rounds) func `are the same in random rows`(seed: Int) async throws {
            var random = SeededGenerator(seed: UInt64(seed))
            var entries = Entries()
            let rows = (0..<16).map { _ in entries.row(&random) }
            let expected = try await Bookkeeping.outcome(of: rows, after: Entries.present, chunkSize: 1)
            for chunkSize in [4, 100] {
                let found = try await Bookkeeping.outcome(of: rows, after: Entries.present, chunkSize: chunkSize)
                #expect(found == expected, "seed \(seed), chunks of \(chunkSize): \(rows)")
            }
        }
    }
#endif
