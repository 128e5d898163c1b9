#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Values of rows on their way to attributes of all kinds.
    @Suite struct `Values of an import` {
        private let stack: Stack

        init() throws {
            stack = Stack(
                model: try ManagedObjectModel {
                    EntityDescription("Thing", userInfo: ["relatedByAttribute": "id"]) {
                        AttributeDescription("id", .integer64)
                        AttributeDescription("narrow", .float)
                        AttributeDescription("wide", .double)
                        AttributeDescription("exact", .decimal)
                        AttributeDescription("time", .date)
                        AttributeDescription("day", .date, userInfo: ["dateFormat": "yyyy-MM-dd"])
                        AttributeDescription("moment", .date, userInfo: ["dateFormat": "UnixTime"])
                        AttributeDescription("link", .uri)
                        AttributeDescription("facts", .string, isCodable: true)
                        AttributeDescription(
                            "address", .composite,
                            elements: [AttributeDescription("city", .string), AttributeDescription("zip", .integer32)])
                    }
                })
            try stack.addInMemoryStore()
        }

        private func importThing(_ values: [String: ManagedValue]) async throws -> ImportReport {
            let row = values.merging(["id": 1]) { $1 }
            return try await stack.importRows(entityName: "Thing", from: [ImportRow]([row]).stream())
        }

        private func value(_ name: String) throws -> ManagedValue {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            defer { context.endTurn() }
            return try #require(try context.fetch(FetchRequest(entityName: "Thing")).first).value(forKey: name)
        }

        @Test func `change the given elements of a composite attribute alone`() async throws {
            _ = try await importThing(["address": ["city": "Bern", "zip": 3000]])
            #expect(try await importThing(["address": ["city": "Thun"]]).line == "0 1 0 0 0")
            #expect(try value("address") == ["city": "Thun", "zip": 3000])
            for line in ["0 1 0 0 0", "0 0 1 0 0"] {
                #expect(try await importThing(["address": ["city": "Thun", "zip": nil]]).line == line)
            }
            #expect(try value("address") == ["city": "Thun"])
        }

        @Test func `change an element of a composite attribute into one that is equal, but of other bytes`()
            async throws
        {
            _ = try await importThing(["address": ["city": "Caf\u{E9}"]])
            for line in ["0 1 0 0 0", "0 0 1 0 0"] {
                #expect(try await importThing(["address": ["city": "Cafe\u{301}"]]).line == line)
            }
            let lines = try await Club.export(stack, "Thing", ExportOptions(format: .jsonLines)).text
            #expect(lines.unicodeScalars.contains("\u{301}"))
        }

        @Test func `are URLs as they are written, or none`() async throws {
            let report = try await importThing(["link": "a b|c"])
            #expect(report.line == "0 0 0 0 1" && report.failures.first?.key == "link", "\(report.failures)")
            #expect(try await importThing(["link": "https://example.org/a%20b?c=d#e"]).line == "1 0 0 0 0")
            #expect(try value("link") == .url(#require(URL(string: "https://example.org/a%20b?c=d#e"))))
        }

        @Test(
            arguments: [
                ("narrow", .double(1e39)), ("narrow", "1e39"), ("narrow", 16_777_217),
                ("narrow", "16777217"),
                ("wide", 9_007_199_254_740_993), ("wide", "9007199254740993"),
            ] as [(String, ManagedValue)])
        func `that a number has no room for are the failure of their row`(name: String, number: ManagedValue)
            async throws
        {
            let report = try await importThing([name: number])
            #expect(report.line == "0 0 0 0 1" && report.failures.first?.key == name, "\(report.failures)")
            #expect(try await importThing(["narrow": 16_777_216, "wide": "9007199254740992"]).line == "1 0 0 0 0")
        }

        @Test(arguments: ["exact", "wide", "narrow"])
        func `are numbers with decimal digits alone`(name: String) async throws {
            for text in ["0x10", "-0x10", "+0x10", "0X1P3", "nan", "infinity", "1_000", "1 "] {
                let report = try await importThing([name: .string(text)])
                #expect(report.line == "0 0 0 0 1" && report.failures.first?.key == name, "\(text): \(report)")
            }
            for (text, number) in [("-0", 0.0), ("-1.5e1", -15), ("+2", 2), (".5", 0.5)] {
                #expect(try await importThing([name: .string(text)]).failed == 0)
                #expect(try value(name).number == number, "\(text)")
            }
        }

        @Test func `are moments with all their digits, though milliseconds have fewer`() async throws {
            let moments = [0.1, 1e-9, 1.2e-17, 0.9999999999999999, 1.1, 3.3, 12_345.678, -0.5, 800_000_000.001].map(
                Date.init(timeIntervalSinceReferenceDate:))
            for moment in moments {
                _ = try await importThing(["moment": .date(moment)])
                _ = try await importThing(["time": .date(moment)])
                #expect(try value("moment") == .date(moment))
                try await expectSameAfterExport()
            }
            _ = try await importThing(["moment": 1_500])
            let lines = try await Club.export(stack, "Thing", ExportOptions(format: .jsonLines)).text
            #expect(lines.contains("\"moment\":1500.0"), "\(lines)")
        }

        private func one<Element: Sendable>(_ element: Element) -> AsyncStream<Element> {
            AsyncStream { continuation in
                continuation.yield(element)
                continuation.finish()
            }
        }

        @Test func `are nested as deeply as those of JSON may be, and no deeper`() async throws {
            final class Chain: Encodable, Sendable {
                let next: Chain?
                init(_ next: Chain?) { self.next = next }
            }
            struct Row: Encodable, Sendable {
                var id = 1
                var facts: Chain
            }
            for (depth, failed) in [(127, 0), (130, 1), (2_000, 1)] {
                let nested = (0..<depth).reduce([] as [any Sendable]) { inner, _ in [inner] }
                let report = try await stack.importRows(
                    entityName: "Thing",
                    from: ImportRows(dictionaries: one(["id": 1, "facts": nested] as [String: any Sendable])))
                #expect(report.failed == failed, "\(report.failures)")
                let chain = (0..<depth).reduce(Chain(nil)) { inner, _ in Chain(inner) }
                let encoded = try await stack.importRows(
                    entityName: "Thing", from: ImportRows(encoding: one(Row(facts: chain))))
                #expect(encoded.failed == failed, "\(encoded.failures)")
            }
        }

        @Test(
            arguments: [
                ("9783161484100", #""9783161484100""#), (["b": 1, "a": [nil, true]], #"{"a":[null,true],"b":1}"#),
                ("[1]", #""[1]""#), (0.5, "0.5"),
            ] as [(ManagedValue, String)])
        func `become JSON in a Codable attribute, and come back from an export`(
            facts: ManagedValue, json: String
        ) async throws {
            #expect(try await importThing(["facts": facts]).line == "1 0 0 0 0")
            #expect(try value("facts") == .string(json))
            try await expectSameAfterExport()
        }

        @Test(
            arguments: [
                #"{"a":1,"a":2}"#, #""\ud800""#, "1e400", "[0.12345678901234567890123456789012345678901]",
                String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
            ])
        func `of a Codable attribute that no import reads are not exported as a part of JSON`(json: String) async throws
        {
            #expect(try await importThing(["facts": "x"]).line == "1 0 0 0 0")
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let thing = try #require(try context.fetch(FetchRequest(entityName: "Thing")).first)
            try thing.setValue(.string(json), forKey: "facts")
            try context.save()
            context.endTurn()
            let error = await #expect(throws: FormatError.self) { try await Club.export(stack, "Thing") }
            #expect(error?.code == .unsupportedExport && error?.key == "facts", "\(error as Any)")
            #expect(error?.message.hasPrefix("facts of Thing 1 is JSON that no import reads.") == true)
            // The text itself is in a table.
            let table = try await Club.export(stack, "Thing", ExportOptions(format: .csv(CSVFormat()))).text
            #expect(try await stack.importRows(entityName: "Thing", from: CSVRows(.text(table))).line == "0 0 1 0 0")
        }

        @Test func `of a Codable attribute are exported as deeply as an import reads them`() async throws {
            let nested = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
            let row = "{\"id\":1,\"facts\":\(nested)}\n"
            #expect(try await stack.importRows(entityName: "Thing", from: JSONLines(.text(row))).failed == 0)
            try await expectSameAfterExport()
        }

        /// Exports the thing in all formats, and expects that an import of that changes nothing.
        private func expectSameAfterExport() async throws {
            let lines = try await Club.export(stack, "Thing", ExportOptions(format: .jsonLines)).text
            let table = try await Club.export(stack, "Thing", ExportOptions(format: .csv(CSVFormat()))).text
            for report in [
                try await stack.importRows(entityName: "Thing", from: JSONLines(.text(lines))),
                try await stack.importRows(entityName: "Thing", from: CSVRows(.text(table))),
            ] { #expect(report.line == "0 0 1 0 0", "\(lines)\(table)") }
        }

        @Test(
            arguments: [
                "0000-01-01T00:00:00Z", "0000-02-29T12:00:00Z", "0000-03-01T00:00:00Z", "-0004-02-29T00:00:00.5Z",
                "-0001-12-31T23:59:59Z", "+12026-11-24T02:15:00Z", "9999-12-31T23:59:59.75Z", "2026-11-24T02:15:00Z",
            ])
        func `are the dates that an export has, whatever their year and pattern`(text: String) async throws {
            #expect(try await importThing(["time": .string(text), "day": .string(text)]).line == "1 0 0 0 0")
            #expect(try value("time") == value("day"))
            let lines = try await Club.export(stack, "Thing", ExportOptions(format: .jsonLines)).text
            #expect(lines.components(separatedBy: "\"\(text)\"").count == 3, "\(lines)")
            try await expectSameAfterExport()
        }

        @Test func `are the last moment of a second and infinite numbers`() async throws {
            let row: [String: ManagedValue] = [
                "time": .date(Date(timeIntervalSinceReferenceDate: -1e-20)), "day": "2001-02-03",
                "wide": .double(-.infinity), "narrow": .double(.infinity),
            ]
            #expect(try await importThing(row).line == "1 0 0 0 0")
            let lines = try await Club.export(stack, "Thing", ExportOptions(format: .jsonLines)).text
            let moment = "\"2000-12-31T23:59:59.\(String(repeating: "9", count: 20))Z\""
            #expect(lines.contains(moment) && lines.contains("\"2001-02-03\""), "\(lines)")
            try await expectSameAfterExport()
        }

        @Test func `of a Codable attribute are JSON in the cells of a table`() async throws {
            for (cell, json) in [(#""[1,2]""#, "[1,2]"), (#"red"#, #""red""#), (#""a"b"#, "")] {
                let text = "id,facts\n1,\(cell)\n"
                let report = try await stack.importRows(entityName: "Thing", from: CSVRows(.text(text)))
                #expect(report.failed == (json.isEmpty ? 1 : 0), "\(report.failures)")
                if !json.isEmpty { #expect(try value("facts") == .string(json)) }
            }
        }
    }

    extension ManagedValue {
        fileprivate var number: Double? {
            switch self {
            case .double(let number): number
            case .decimal(let number): (number as NSDecimalNumber).doubleValue
            default: nil
            }
        }
    }
#endif
