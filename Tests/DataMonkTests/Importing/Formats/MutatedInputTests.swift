import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Inputs with bytes that are changed, removed, repeated or put in by chance: each is rows, or errors with a place.
@Suite struct `Mutated inputs` {
    private static let json = Array(
        #"""
        {"count": 3, "rows": [{"id": 1, "name": "M\u00f6nk \ud83d\ude80", "tags": ["a", null, true], "age": -1.5e-3},
        {"id": 12345678901234567890, "boss": {"id": 1, "name": ""}}, {"id": 3, "note": "x\"y\\"}], "next": null}
        """#.utf8)
    private static let lines = Array(
        (#"{"id": 1, "name": "Möńk", "n": [1, 0.25, {"a": {}}]}"# + "\n\n" + #"{"id": 2, "t": "\t\/", "f": false}"#
            + "\r\n").utf8)
    private static let csv = Array("\u{FEFF}id,name,note\r\n1,\"a \"\"b\"\"\r\nc\",\r\n2,é,\"\"\r\n\r\n3\r\n".utf8)

    /// Inputs of each kind: `DATAMONK_MUTATED_INPUTS`.
    private static var count: Int {
        ProcessInfo.processInfo.environment["DATAMONK_MUTATED_INPUTS"].flatMap { Int($0) } ?? 700
    }

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let odd: UInt8 = [0, 0x22, 0x5C, 0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x0A, 0x0D, 0xFF, 0xC3, 0xED][
                Int.random(in: 0..<13, using: &random)]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = odd
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.insert(odd, at: place)
            case 3: bytes.remove(at: place)
            case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...30, using: &random)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: place)
            }
        }
        return bytes
    }

    /// Reads an input in one chunk and in small ones, which must be the same.
    private static func check<Rows: AsyncSequence>(
        _ original: [UInt8], _ random: inout SeededGenerator, _ rows: (ByteSource) -> Rows
    ) async where Rows.Element == ImportRow {
        let input = mutated(original, &random)
        let read = await ReadRows(rows(.data(Data(input))))
        let size = Int.random(in: 1...20, using: &random)
        #expect(await ReadRows(rows(.chunks(SmallChunks(bytes: input, size: size)))) == read, "\(input)")
        for message in read.problems + [read.failure].compactMap(\.self) {
            #expect(message.hasPrefix("Line "), "\(message) of \(input)")
        }
        #expect(read.places.map(\.index) == Array(read.places.indices))
    }

    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Row", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer32, isOptional: false)
                AttributeDescription("name", .string, userInfo: ["mappedKeyName": "full.name"])
                AttributeDescription("age", .float)
                AttributeDescription("born", .date)
                AttributeDescription("image", .binary)
                AttributeDescription("code", .uuid)
                AttributeDescription("isOld", .boolean)
                RelationshipDescription("boss", to: "Row", inverse: "staff")
                RelationshipDescription("staff", to: "Row", inverse: "boss", isToMany: true)
            }
        }
    }

    private static let objects = Array(
        #"""
        {"id": 1, "full": {"name": "M\u00f6nk"}, "age": 1.5, "born": "2026-11-24T02:15:00Z", "staff": [2, {"id": 3, "age": 7}]}
        {"id": 2, "image": "AAECAw==", "code": "6C0A3B6E-3A43-4F0E-9B6C-0D6B8E9A1F11", "isOld": true, "boss": {"id": 3}}
        {"id": 3, "full.name": null, "born": 1700000000, "isOld": "no", "staff": [], "boss": null}

        """#.utf8)
    private static let cells = Array(
        "id,full.name,age,born,image,code,isOld,boss\n1,\"a, b\",1.5,2026-11-24T02:15:00Z,AAEC,,true,\n2,,-1e3,0,,,no,1\n"
            .utf8)

    /// Imports a mutated input. Each row is in the report once, and each failure has its place in the input and a reason.
    private static func checkImport<Rows: AsyncSequence & Sendable>(
        _ original: [UInt8], into stack: Stack, _ random: inout SeededGenerator, _ rows: (ByteSource) -> Rows
    ) async throws where Rows.Element == ImportRow {
        let input = mutated(original, &random)
        let read = await ReadRows(rows(.data(Data(input))))
        var options = ImportOptions()
        options.chunkSize = Int.random(in: 1...4, using: &random)
        options.keptFailures = .max
        var report: ImportReport
        do {
            report = try await stack.importRows(
                entityName: "Row", from: rows(.data(Data(input))), options: options)
            #expect(read.failure == nil && report.rows == read.rows.count, "\(input)")
        } catch let error as ImportError where error.code == .inputFailed {
            #expect(read.failure != nil, "\(input)")
            report = error.report ?? ImportReport()
            #expect(report.rows == read.rows.count / options.chunkSize * options.chunkSize, "\(input)")
        }
        #expect(report.failures.count == report.failed, "\(input)")
        let places = report.failures.map(\.place)
        #expect(places == places.sorted { $0.index < $1.index } && Set(places).count == places.count, "\(input)")
        for failure in report.failures {
            #expect(read.places[failure.place.index] == failure.place && !failure.message.isEmpty, "\(input)")
        }
    }

    @Test func `a mutated input is imported, or its rows fail at their places`() async throws {
        var random = SeededGenerator(seed: 23)
        let stack = Stack(model: try Self.model.get())
        try stack.addInMemoryStore()
        for _ in 0..<(Self.count + 2) / 3 {
            try await Self.checkImport(Self.objects, into: stack, &random) { JSONLines($0) }
            try await Self.checkImport(Self.cells, into: stack, &random) { CSVRows($0) }
        }
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        var request = FetchRequest(entityName: "Row")
        request.sortTerms = [SortTerm("id")]
        let ids = try context.fetch(request).map { try $0.value(forKey: "id") }
        #expect(Set(ids).count == ids.count && ids.count > 3)
    }

    @Test func `a mutated input is rows, or errors with a place`() async {
        var random = SeededGenerator(seed: 22)
        for _ in 0..<Self.count {
            await Self.check(Self.json, &random) { JSONRows($0, at: "rows") }
            await Self.check(Self.lines, &random) { JSONLines($0) }
            await Self.check(Self.csv, &random) { CSVRows($0) }
        }
    }
}
