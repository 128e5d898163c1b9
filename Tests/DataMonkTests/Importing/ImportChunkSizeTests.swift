import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Rows that spoil what rows before them have made, in one chunk with these and in chunks of their own.
@Suite struct `Failures in chunks of any size` {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Box", userInfo: ["relatedByAttribute": "name"]) {
                AttributeDescription("name", .string)
                RelationshipDescription(
                    "labels", to: "Item", inverse: "labelled", isToMany: true, maxCount: 3,
                    userInfo: ["mergePolicy": "add"])
            }
            EntityDescription("Item", uniquenessConstraints: [["code"]], userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                AttributeDescription("code", .integer64)
                AttributeDescription("title", .string, minimum: 1)
                AttributeDescription("size", .integer64, maximum: 10)
                AttributeDescription("note", .string)
                RelationshipDescription("labelled", to: "Box", inverse: "labels", isToMany: true)
            }
            EntityDescription("Parcel", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                RelationshipDescription("parts", to: "Part", inverse: "parcel", isToMany: true)
            }
            EntityDescription("Part", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                RelationshipDescription("parcel", to: "Parcel", inverse: "parts", isOptional: false)
            }
        }
    }

    private func stack() throws -> Stack {
        let stack = Stack(model: try Self.model.get())
        try stack.addInMemoryStore()
        return stack
    }

    /// The result of an import: its counts, the rows that failed, and the objects.
    private struct Outcome: Equatable {
        var line = ""
        var failed: [Int] = []
        var objects: [String] = []
    }

    private func outcome(
        of rows: [String], _ entityName: String, after present: [String] = [], chunkSize: Int
    ) async throws -> Outcome {
        let stack = try stack()
        var options = ImportOptions()
        (options.chunkSize, options.retries) = (chunkSize, 0)
        let before = try await stack.importRows(
            entityName: entityName, from: JSONLines(.text(present.joined(separator: "\n"))))
        #expect(before.failed == 0, "\(before.failures)")
        let report = try await stack.importRows(
            entityName: entityName, from: JSONLines(.text(rows.joined(separator: "\n"))), options: options)
        let objects = try await Context(stack: stack).read { reader in
            try ["Box", "Item", "Parcel", "Part"].flatMap { name in
                try reader.fetchAll(entityName: name).map(Self.description).sorted()
            }
        }
        return Outcome(line: report.line, failed: report.failures.map(\.place.index), objects: objects)
    }

    private static func description(of object: ManagedObject) throws -> String {
        func text(_ value: ManagedValue) -> String {
            switch value {
            case .int(let number): "\(number)"
            case .string(let text): "\"\(text)\""
            default: "-"
            }
        }
        let names = ["id", "name", "code", "title", "size", "note", "parcel"]
        let values = try names.filter { object.entity.propertiesByName[$0] != nil }.map { name in
            try text(object.value(forKeyPath: name == "parcel" ? "parcel.id" : name))
        }
        let labels = object.entity.propertiesByName["labels"] == nil ? 0 : try object.objects(forKey: "labels").count
        return ([object.entity.name, "\(labels)"] + values).joined(separator: " ")
    }

    // MARK: Cases

    struct Case: Sendable, CustomTestStringConvertible {
        var entityName = "Item"
        var present: [String] = []
        let rows: [String]
        let failed: [Int]
        var testDescription: String { rows.joined(separator: " ") }
    }

    static let cases = [
        Case(
            rows: [#"{"id":1,"title":"ok"}"#, #"{"id":2,"title":"two"}"#, #"{"id":1,"title":""}"#],
            failed: [2]),
        Case(
            rows: [
                #"{"id":1,"title":"ok"}"#, #"{"id":1,"title":""}"#, #"{"id":1,"note":"n"}"#, #"{"id":1,"size":11}"#,
            ],
            failed: [1, 3]),
        // A part without its parcel.
        Case(entityName: "Parcel", rows: [#"{"id":1,"parts":[7]}"#, #"{"id":1,"parts":[]}"#], failed: [1]),
        Case(
            entityName: "Parcel",
            rows: [
                #"{"id":1,"parts":[7,8]}"#, #"{"id":1,"parts":[7]}"#, #"{"id":2,"parts":[{"id":8}]}"#, #"{"id":3}"#,
            ],
            failed: []),
        Case(rows: [#"{"id":1,"code":5}"#, #"{"id":2,"code":6}"#, #"{"id":2,"code":5}"#], failed: [2]),
        // The row to blame is not the last one of its object, and not of the object that is saved last.
        Case(
            rows: [#"{"id":1,"code":5}"#, #"{"id":2,"code":6}"#, #"{"id":2,"code":5}"#, #"{"id":2,"note":"n"}"#],
            failed: [2]),
        Case(
            rows: [#"{"id":1,"code":5}"#, #"{"id":2,"code":6}"#, #"{"id":1,"code":6}"#, #"{"id":2,"note":"n"}"#],
            failed: [2]),
        Case(
            present: [#"{"id":9,"code":5}"#],
            rows: [#"{"id":9,"note":"n"}"#, #"{"id":2,"code":5}"#, #"{"id":2,"note":"n"}"#, #"{"id":9,"note":"m"}"#],
            failed: [1]),
        // A member that is one too many beside a failing row is not without that row.
        Case(
            entityName: "Box",
            rows: [
                #"{"name":"b","labels":[1,2]}"#, #"{"name":"b","labels":[{"id":3,"title":""}]}"#,
                #"{"name":"b","labels":[4]}"#, #"{"name":"b","labels":[5]}"#,
            ], failed: [1, 3]),
    ]

    @Test(arguments: cases, [1, 2, 1_000])
    func `are those of the rows that have made objects invalid`(_ example: Case, chunkSize: Int) async throws {
        // Two rows of which the second one makes up for the first are all right in one chunk alone.
        if example.failed.isEmpty, chunkSize < example.rows.count { return }
        let outcome = try await outcome(
            of: example.rows, example.entityName, after: example.present, chunkSize: chunkSize)
        #expect(outcome.failed == example.failed)
        let rest = example.rows.enumerated().filter { !example.failed.contains($0.offset) }.map(\.element)
        let expected = try await self.outcome(
            of: rest, example.entityName, after: example.present, chunkSize: chunkSize)
        #expect(outcome.objects == expected.objects)
    }

    @Test(arguments: cases) func `stop an import at the first one`(_ example: Case) async throws {
        guard let first = example.failed.first else { return }
        let stack = try stack()
        _ = try await stack.importRows(
            entityName: example.entityName, from: JSONLines(.text(example.present.joined(separator: "\n"))))
        var options = ImportOptions()
        options.stopsAtFirstFailure = true
        let error = await #expect(throws: ImportError.self) {
            try await stack.importRows(
                entityName: example.entityName, from: JSONLines(.text(example.rows.joined(separator: "\n"))),
                options: options)
        }
        #expect(error?.code == .rowFailed && error?.place?.index == first, "\(error as Any)")
    }

    @Test func `stop an import at one that spoils an object of no row, before another one`() async throws {
        let stack = try stack()
        _ = try await stack.importRows(
            entityName: "Parcel", from: JSONLines(.text(#"{"id":1,"parts":[7]}"#)))
        var options = ImportOptions()
        options.stopsAtFirstFailure = true
        let error = await #expect(throws: ImportError.self) {
            try await stack.importRows(
                entityName: "Parcel", from: JSONLines(.text("{\"id\":1,\"parts\":[]}\n{\"id\":\"x\"}")),
                options: options)
        }
        #expect(error?.code == .rowFailed && error?.place?.index == 0, "\(error as Any)")
    }

    @Test(arguments: [[#"{"id":9,"code":5}"#], []])
    func `stop an import at one whose unique values are taken, before another one`(present: [String]) async throws {
        let stack = try stack()
        _ = try await stack.importRows(
            entityName: "Item", from: JSONLines(.text(present.joined(separator: "\n"))))
        var options = ImportOptions()
        options.stopsAtFirstFailure = true
        let rows = """
            {"id":1,"code":\(present.isEmpty ? 5 : 4)}
            {"id":2,"code":5}
            {"id":3,"title":""}
            {"id":"x"}
            """
        let error = await #expect(throws: ImportError.self) {
            try await stack.importRows(entityName: "Item", from: JSONLines(.text(rows)), options: options)
        }
        #expect(error?.code == .rowFailed && error?.place?.index == 1, "\(error as Any)")
    }

    // MARK: Random rows

    /// Rows about items. No row makes up for one before it, which would be all right in one chunk with it alone.
    private struct Items {
        private var spoilt: Set<String> = []
        private var known: Set<Int> = [0, 1, 2, 3]

        static let present = (0..<4).map { "{\"id\":\($0),\"code\":\($0),\"title\":\"t\"}" }

        mutating func row(_ random: inout SeededGenerator) -> String {
            let id = Int.random(in: 0..<8, using: &random)
            var parts = ["\"id\":\(id)"]
            if Bool.random(using: &random) { parts.append("\"note\":\"\(Int.random(in: 0..<9, using: &random))\"") }
            // A new item has its own code. Those of the first ones are never given up: the first one wants no other, and the
            // next ones want those of the ones before them.
            if known.insert(id).inserted {
                parts.append("\"code\":\(id)")
            } else if id > 0, Int.random(in: 0..<5, using: &random) == 0 {
                parts.append("\"code\":\(Int.random(in: 0..<min(id, 4), using: &random))")
            }
            for (name, valid, invalid) in [("title", "\"new\"", "\"\""), ("size", "3", "11")] {
                guard !spoilt.contains("\(id) \(name)"), Bool.random(using: &random) else { continue }
                let isValid = Int.random(in: 0..<4, using: &random) > 0
                if !isValid { spoilt.insert("\(id) \(name)") }
                parts.append("\"\(name)\":\(isValid ? valid : invalid)")
            }
            return "{\(parts.joined(separator: ","))}"
        }
    }

    /// Rows about parcels, which take parts from one another, and leave some without one. Nobody takes those.
    private struct Parcels {
        private var owners: [Int: Int] = [:]
        private var lost: Set<Int> = []

        static let present = (0..<3).map { "{\"id\":\($0),\"parts\":[\($0 * 2),\($0 * 2 + 1)]}" }

        init() { for part in 0..<6 { owners[part] = part / 2 } }

        mutating func row(_ random: inout SeededGenerator) -> String {
            let id = Int.random(in: 0..<4, using: &random)
            var parts = Set((0..<8).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }).subtracting(lost)
            let own = Set(owners.filter { $0.value == id }.keys)
            if Int.random(in: 0..<3, using: &random) > 0 { parts.formUnion(own.subtracting(lost)) }
            let left = own.subtracting(parts)
            if left.isEmpty { for part in parts { owners[part] = id } }
            lost.formUnion(left)
            return "{\"id\":\(id),\"parts\":[\(parts.sorted().map(String.init).joined(separator: ","))]}"
        }
    }

    private static let rounds = ProcessInfo.processInfo.environment["DATAMONK_IMPORT_ROUNDS"].flatMap(Int.init) ?? 25

    @Test(arguments: 0..<rounds) func `are the same in random rows`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var (items, parcels) = (Items(), Parcels())
        let inputs = [
            ("Item", Items.present, (0..<14).map { _ in items.row(&random) }),
            ("Parcel", Parcels.present, (0..<10).map { _ in parcels.row(&random) }),
        ]
        for (entityName, present, rows) in inputs {
            let expected = try await outcome(of: rows, entityName, after: present, chunkSize: 1)
            for chunkSize in [4, 100] {
                let found = try await outcome(of: rows, entityName, after: present, chunkSize: chunkSize)
                #expect(found == expected, "seed \(seed), chunks of \(chunkSize): \(rows)")
            }
        }
    }

    // MARK: Rows that end in the middle

    @Test(arguments: [1, 1_000])
    func `leave nothing behind for those after them to fail at`(chunkSize: Int) async throws {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Party", userInfo: ["relatedByAttribute": "code"]) {
                    AttributeDescription("code", .integer64)
                }
                EntityDescription("Person", superentityName: "Party", properties: [])
                EntityDescription("Company", superentityName: "Party", properties: [])
                EntityDescription("Deed", userInfo: ["relatedByAttribute": "id"]) {
                    AttributeDescription("id", .integer64)
                    RelationshipDescription("buyer", to: "Person")
                    RelationshipDescription("seller", to: "Company")
                    RelationshipDescription("witnesses", to: "Witness", inverse: "deed", isToMany: true)
                }
                // Without a key: present ones cannot be told from those of a row.
                EntityDescription("Witness") {
                    AttributeDescription("name", .string)
                    RelationshipDescription("deed", to: "Deed", inverse: "witnesses")
                }
            })
        try stack.addInMemoryStore()
        var options = ImportOptions()
        options.chunkSize = chunkSize
        let rows = """
            {"id":1,"buyer":4,"witnesses":[{"name":"a"}]}
            {"id":1,"seller":7,"witnesses":[{"name":"a"}]}
            {"id":2,"buyer":7}
            """
        let report = try await stack.importRows(entityName: "Deed", from: JSONLines(.text(rows)), options: options)
        #expect(report.failures.map(\.place.index) == [1] && report.line == "2 0 0 0 1", "\(report.failures)")
    }

    // MARK: Many keys

    @Test func `none are of the number of keys`() async throws {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Seat", uniquenessConstraints: [["hall", "row"]]) {
                    AttributeDescription("hall", .integer64)
                    AttributeDescription("row", .double)
                }
            })
        let folder = try TemporaryFolder()
        try stack.addDatabaseStore(fileURL: folder.file("seats.sqlite"), synchronous: .normal)
        var options = ImportOptions()
        options.chunkSize = 20_000
        // Each has two constants of a query, of which a statement takes 32,766.
        let rows = (0..<16_500).map { "{\"hall\":\($0),\"row\":0.5}\n" }.joined()
        for line in ["16500 0 0 0 0", "0 0 16500 0 0"] {
            let report = try await stack.importRows(entityName: "Seat", from: JSONLines(.text(rows)), options: options)
            #expect(report.line == line)
        }
    }
}
