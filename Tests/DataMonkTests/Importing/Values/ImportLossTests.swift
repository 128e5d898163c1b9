#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Values that an import can keep only in part, or would lose.
    @Suite struct `Values that an import would lose` {
        struct Enclosure: Codable, Sendable {
            var url: String
            var length: Int
        }

        @Entity("LossEpisode") final class Episode: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Attribute(.codable) var enclosure: Enclosure?
            @Attribute(importedFrom: "profile.fullName") var name: String?
            @Attribute(importedFrom: "host.city") var city: String?
            var code: String?
            var weight: Double?
            var narrow: Float?
            var exact: Decimal?
            @Attribute(userInfo: ["dateFormat": "UnixTime"]) var moment: Date?
            @Relationship(inverse: \Host.episodes, importedFrom: "host") var host: Host?
            @Relationship(inverse: \Studio.episodes) var studio: Studio?
        }

        @Entity("LossHost") final class Host: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            var episodes: Set<Episode>
        }

        /// Has no key.
        @Entity("LossStudio") final class Studio: ManagedObject {
            var city: String?
            var episodes: Set<Episode>
        }

        /// Has hooks, which see a value that stands where an object is expected.
        @Entity("LossGuest") final class Guest: ManagedObject, ImportHooks {
            @Attribute(.unique) var id: Int = 0
            @Attribute(importedFrom: "profile.rank", userInfo: ["useDefaultValueWhenNotPresent": "YES"])
            var rank: Int = 1
        }

        private static let model = Result { try ManagedObjectModel(classes: [Episode.self, Guest.self]) }
        private let stack: Stack

        init() throws {
            stack = Stack(model: try Self.model.get())
            try stack.addInMemoryStore()
        }

        private func importEpisode(_ json: String) async throws -> ImportReport {
            try await stack.importRows(Episode.self, from: JSONLines(.text(json)))
        }

        private func expectFailure(_ json: String, of key: String) async throws {
            let report = try await importEpisode(json)
            #expect(report.line == "0 0 0 0 1" && report.failures.first?.key == key, "\(json): \(report)")
        }

        private func episodes<Value: Sendable>(_ value: @escaping @Sendable (Episode) -> Value) async throws -> [Value]
        {
            try await Context(stack: stack).read { try $0.fetchAll(Episode.self, orderBy: .Ascending("id")).map(value) }
        }

        @Test(arguments: [#"5"#, #"{"lenght":3}"#, #"{"url":"u","length":"3"}"#, #""{length:5""#])
        func `are those that the type of a codable attribute does not decode`(value: String) async throws {
            try await expectFailure(#"{"id":1,"enclosure":\#(value)}"#, of: "enclosure")
        }

        @Test func `are not those of a codable attribute that its type decodes`() async throws {
            let report = try await importEpisode(#"{"id":1,"enclosure":{"length":3,"url":"u"}}"#)
            #expect(report.line == "1 0 0 0 0", "\(report.failures)")
            #expect(try await episodes { $0.enclosure?.length } == [3])
            let cells = try await stack.importRows(
                Episode.self,
                from: CSVRows(.text("id,enclosure\n1,\"{\"\"length\"\":4,\"\"url\"\":\"\"u\"\"}\"\n2,{length:5\n")))
            #expect(cells.line == "0 1 0 0 1" && cells.failures.first?.key == "enclosure", "\(cells)")
            #expect(try await episodes { $0.enclosure?.length } == [4])
        }

        @Test(arguments: [#""Anna""#, #"[{"fullName":"Anna"}]"#, "3"])
        func `are those where an object is expected on the way`(value: String) async throws {
            try await expectFailure(#"{"id":1,"profile":\#(value)}"#, of: "profile.fullName")
        }

        @Test func `are not those on the way that are another property's, or null`() async throws {
            let report = try await importEpisode(#"{"id":1,"host":7,"profile":null}"#)
            #expect(report.line == "1 0 0 0 0", "\(report.failures)")
            #expect(try await episodes { $0.host?.id } == [7])
        }

        @Test func `are none where hooks decide, and no default replaces what is there`() async throws {
            for (json, rank) in [
                (#"{"id":1,"profile":{"rank":5}}"#, 5), (#"{"id":1,"profile":"Anna"}"#, 5),
                (#"{"id":1,"profile":{}}"#, 1),
            ] {
                let report = try await stack.importRows(Guest.self, from: JSONLines(.text(json)))
                #expect(report.failed == 0, "\(report.failures)")
                let ranks = try await Context(stack: stack).read { try $0.fetchAll(Guest.self).map(\.rank) }
                #expect(ranks == [rank], "\(json)")
            }
        }

        @Test(arguments: [
            ("weight", "18446744073709551615"), ("weight", "\"18446744073709551615\""),
            ("weight", "\"9007199254740993.0\""),
            ("weight", "9007199254740993.0"), ("weight", "\"1e-400\""), ("narrow", "1e-46"), ("narrow", "\"1e-46\""),
            ("exact", "18446744073709551615"), ("exact", "\"18446744073709551615\""), ("exact", "\"1e-101\""),
            ("exact", "\"100000000000000000000000000000000000000000001\""),
            ("id", "true"), ("moment", "\"0x1F4\""), ("moment", "\"0x1p10\""),
        ])
        func `are numbers that would have other digits, and Boolean values`(key: String, value: String) async throws {
            try await expectFailure(key == "id" ? #"{"id":\#(value)}"# : #"{"id":1,"\#(key)":\#(value)}"#, of: key)
        }

        @Test func `are not numbers that have the same digits, and fractions`() async throws {
            for value in [
                "18446744073709551616", "\"18446744073709551616\"", "1e30", "\"1e30\"", "\"0.1\"", "\"1e-300\"", "0",
            ] {
                let report = try await importEpisode(#"{"id":1,"weight":\#(value)}"#)
                #expect(report.failed == 0, "\(value): \(report.failures)")
            }
            for value in ["0.12345678901234567890123", "\"0.12345678901234567890123\""] {
                #expect(try await importEpisode(#"{"id":1,"weight":\#(value)}"#).failed == 0)
                #expect(try await episodes(\.weight) == [0.12345678901234568])
            }
        }

        @Test(arguments: [
            "10000000000000000000", "12345678901234560000", "12345678901234567891", "0.0000001", "-0.00000123",
            "9000000000000000",
            "1", "1.5", "100000000000000000000000000000",
        ])
        func `are not the digits of a number that becomes a text`(number: String) async throws {
            #expect(try await importEpisode(#"{"id":1,"code":\#(number)}"#).failed == 0)
            #expect(try await episodes(\.code) == [number])
        }

        @Test func `are those of an object without a key to which others lead`() async throws {
            try await Context(stack: stack).update { update in
                let studio = try update.create(Studio.self)
                studio.city = "Chur"
                for id in 1...2 {
                    let episode = try update.create(Episode.self)
                    (episode.id, episode.studio) = (id, studio)
                }
                try update.commit()
            }
            try await expectFailure(#"{"id":1,"studio":{"city":"Bern"}}"#, of: "studio")
            #expect(try await episodes { $0.studio?.city } == ["Chur", "Chur"])
            #expect(try await importEpisode(#"{"id":1,"studio":{"city":"Chur"}}"#).line == "0 0 1 0 0")
            #expect(try await importEpisode(#"{"id":2,"studio":null}"#).line == "0 1 0 0 0")
            #expect(try await importEpisode(#"{"id":1,"studio":{"city":"Bern"}}"#).line == "0 1 0 0 0")
            #expect(try await episodes { $0.studio?.city } == ["Bern", nil])
        }

        @Test func `end a chunk by their names as well`() async throws {
            let names = (0..<200).map { #""\#(String(repeating: "n", count: 22_000))\#($0)":[]"# }.joined(
                separator: ",")
            let rows = (0..<6).map { #"{"id":\#($0),"tags":{\#(names)}}"# }.joined(separator: "\n")
            let reports = Locked<[Int]>([])
            var options = ImportOptions()
            options.progress = { report in reports.withLock { $0.append(report.rows) } }
            _ = try await stack.importRows(Episode.self, from: JSONLines(.text(rows)), options: options)
            // Each row has more than 4 MB, and a chunk ends after 16.
            #expect(reports.withLock { $0 } == [4, 6])
        }

        @Test(arguments: [true, false])
        func `are those of a text of 16-bit units without a mark`(isBigEndian: Bool) async throws {
            let bytes = Data("1,Anna\n".utf8.flatMap { isBigEndian ? [0, $0] : [$0, 0] })
            let error = await #expect(throws: ImportError.self) {
                try await stack.importRows(Episode.self, from: CSVRows(.data(bytes), columns: ["id", "code"]))
            }
            #expect((error?.underlyingError as? FormatError)?.code == .unsupportedEncoding)
        }
    }
#endif
