#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Which objects rows are about, and what is asked of the store for it.
    @Suite struct `Rows of an import` {
        private let tracker = Result { try Tracker() }

        private func people(_ ids: Range<Int>, name: String = "n") -> [[String: ManagedValue]] {
            ids.map { ["id": .int(Int64($0)), "login": .string("\(name)\($0)"), "profile": ["city": "Bern"]] }
        }

        @Test func `become new objects, and change those with their keys`() async throws {
            let tracker = try tracker.get()
            let first = try await tracker.stack.importRows(
                Tracker.User.self, from: [ImportRow](people(0..<10)).stream())
            #expect(first.line == "10 0 0 0 0" && first.nextIndex == 10)
            let rows = people(5..<10) + people(10..<12) + people(0..<1, name: "other")
            let second = try await tracker.stack.importRows(Tracker.User.self, from: [ImportRow](rows).stream())
            #expect(second.line == "2 1 5 0 0")
            #expect(try await tracker.count(Tracker.User.self) == 12)
            #expect(try await tracker.user(0) { $0.name } == "other0")
            #expect(try await tracker.user(0) { $0.city } == "Bern")
        }

        @Test func `take one query for each chunk and entity`() async throws {
            let tracker = try tracker.get()
            let rows: [[String: ManagedValue]] = (0..<100).map { number in
                [
                    "number": .int(Int64(number)), "title": "t", "user": ["id": .int(Int64(number % 7)), "login": "a"],
                    "labels": ["bug", .string("l\(number % 5)")],
                ]
            }
            let options = { () -> ImportOptions in
                var options = ImportOptions()
                options.chunkSize = 50
                return options
            }()
            let statements = try await tracker.recorder.recording {
                let report = try await tracker.stack.importRows(
                    Tracker.Issue.self, from: [ImportRow](rows).stream(), options: options)
                #expect(report.line == "100 0 0 0 0" && report.relatedInserted == 7 + 6)
            }
            let queries = statements.filter { $0.sql.contains("FROM ZIMPORT") && $0.kind == .select }
            #expect(queries.count == 2 * 3, "\(queries.map(\.sql))")
            let again = try await tracker.recorder.recording {
                let report = try await tracker.stack.importRows(
                    Tracker.Issue.self, from: [ImportRow](rows).stream(), options: options)
                #expect(report.line == "0 0 100 0 0")
            }
            #expect(!again.contains { [.insert, .update, .delete].contains($0.kind) })
            // One more for the labels of the issues that are there.
            let reads = again.filter { $0.kind == .select && $0.sql.contains("ZIMPORT") }
            #expect(reads.count <= 2 * 4, "\(reads.map(\.sql))")
        }

        @Test func `with the same key are one object, within a chunk and across chunks`() async throws {
            let tracker = try tracker.get()
            var options = ImportOptions()
            options.chunkSize = 3
            options.chunksInFlight = 4
            let rows = (0..<60).map {
                ["id": .int(Int64($0 % 5)), "login": .string("\($0)")] as [String: ManagedValue]
            }
            let report = try await tracker.stack.importRows(
                Tracker.User.self, from: [ImportRow](rows).stream(), options: options)
            #expect(report.line == "5 55 0 0 0")
            #expect(try await tracker.count(Tracker.User.self) == 5)
            #expect(try await tracker.user(4) { $0.name } == "59")
        }

        @Test func `leave alone what they do not mention, and clear what is null`() async throws {
            let stack = try tracker.get().stack
            try await stack.importRows(
                Tracker.User.self, from: [["id": 1, "login": "a", "profile": ["city": "Bern"], "born": "2001-02-03"]])
            try await stack.importRows(Tracker.User.self, from: [["id": 1, "profile": NSNull()]])
            let user = try await tracker.get().user(1) { [$0.name, $0.city, $0.born?.ISO8601Format()] }
            #expect(user == ["a", nil, "2001-02-03T00:00:00Z"])
        }

        @Test func `of an update are its changes, among those that it has`() async throws {
            let tracker = try tracker.get()
            let report = try await tracker.context.update { update in
                let user = try update.create(Tracker.User.self)
                user.id = 1
                let report = try update.import(
                    Tracker.User.self, from: [["id": 1, "login": "a"], ["id": 2, "login": "b"], ["id": "x"]])
                #expect(user.name == "a")
                #expect(try update.count(Tracker.User.self) == 2)
                try update.commit()
                return report
            }
            #expect(report.line == "1 1 0 0 1")
            #expect(try await tracker.count(Tracker.User.self) == 2)
        }

        @Test func `may be values that encode themselves`() async throws {
            struct Answer: Encodable, Sendable {
                struct Profile: Encodable, Sendable { var city: String }
                var id: UInt8
                var login: String?
                var profile: Profile
                var born: Date
            }
            let tracker = try tracker.get()
            let born = Date(timeIntervalSince1970: 0.5)
            let answers = [Answer(id: 3, login: nil, profile: .init(city: "Uri"), born: born)]
            let report = try await tracker.stack.importRows(Tracker.User.self, encoding: answers)
            #expect(report.line == "1 0 0 0 0", "\(report.failures)")
            #expect(try await tracker.user(3) { $0.city } == "Uri")
            #expect(try await tracker.user(3) { $0.born } == born)
        }

        @Test func `are found by several attributes, whose texts are compared as bytes`() async throws {
            let stack = Stack(
                model: try ManagedObjectModel {
                    EntityDescription("Seat", uniquenessConstraints: [["hall", "row"]]) {
                        AttributeDescription("hall", .string)
                        AttributeDescription("row", .string)
                    }
                })
            try stack.addInMemoryStore()
            let rows: [[String: ManagedValue]] = ["a", "b"].flatMap { hall in
                ["caf\u{E9}", "cafe\u{301}", "c"].map { ["hall": .string(hall), "row": .string($0)] }
            }
            for line in ["6 0 0 0 0", "0 0 6 0 0"] as [String] {
                let report = try await stack.importRows(entityName: "Seat", from: [ImportRow](rows).stream())
                #expect(report.line == line, "\(report.failures)")
            }
        }

        @Test func `of a dry run write nothing, and are counted`() async throws {
            let tracker = try tracker.get()
            try await tracker.stack.importRows(Tracker.User.self, from: [["id": 1, "login": "a"]])
            var options = ImportOptions()
            options.isDryRun = true
            let report = try await tracker.stack.importRows(
                Tracker.User.self, from: [["id": 1, "login": "b"], ["id": 2], ["id": NSNull()]], options: options)
            #expect(report.line == "1 1 0 0 1" && report.isDryRun)
            #expect(try await tracker.count(Tracker.User.self) == 1)
            #expect(try await tracker.user(1) { $0.name } == "a")
        }
    }
#endif
