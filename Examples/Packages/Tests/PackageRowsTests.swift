import DataMonk
import DebianPackages
import Foundation
import Testing

/// Debian's package database as rows: real texts, some thousand of them.
@Suite struct PackageRowsTests {
    /// The paragraphs of the database of this machine, or of a sample where there is none.
    private static func paragraphs() throws -> [[String: String]] {
        let url = URL(filePath: "/var/lib/dpkg/status")
        // Reason for try?: not every system is Debian.
        let data = (try? Data(contentsOf: url)) ?? Data("Package: a\nVersion: 1\nDescription: é\n \"x\", y\n".utf8)
        let names = ["Package", "Status", "Version", "Section", "Maintainer", "Depends", "Description", "Conffiles"]
        return try ControlFile(data).paragraphs().map { paragraph in
            Dictionary(uniqueKeysWithValues: names.compactMap { name in paragraph[name].map { (name, $0) } })
        }
    }

    private static func collect<Rows: AsyncSequence>(_ rows: Rows) async throws -> [[String: ManagedValue]]
    where Rows.Element == ImportRow {
        var values: [[String: ManagedValue]] = []
        for try await row in rows { values.append(try row.content.get()) }
        return values
    }

    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Package", userInfo: ["relatedByAttribute": "key"]) {
                // A package may be there for several architectures.
                AttributeDescription("key", .string)
                AttributeDescription("name", .string, userInfo: ["mappedKeyName": "Package"])
                AttributeDescription("version", .string, userInfo: ["mappedKeyName": "Version"])
                AttributeDescription("text", .string, userInfo: ["mappedKeyName": "Description"])
                RelationshipDescription(
                    "section", to: "Section", inverse: "packages",
                    userInfo: ["mappedKeyName": "Section", "relatedByAttribute": "name"])
            }
            EntityDescription("Section") {
                AttributeDescription("name", .string)
                RelationshipDescription("packages", to: "Package", inverse: "section", isToMany: true)
            }
        }
    }

    @Test func `the database as JSON lines becomes objects, once`() async throws {
        let packages = try Self.paragraphs().enumerated().map { number, package in
            package.merging(["key": "\(package["Package"] ?? "")/\(number)"]) { $1 }
        }
        let encoder = JSONEncoder()
        let lines = try packages.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.joined(separator: "\n")
        let stack = Stack(model: try Self.model.get())
        try stack.addInMemoryStore()
        let report = try await stack.importRows(entityName: "Package", from: JSONLines(.text(lines)))
        #expect(report.inserted == packages.count && report.failed == 0, "\(report.failures)")
        let sections = Set(packages.compactMap { $0["Section"] })
        #expect(report.relatedInserted == sections.count)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        var found: [ManagedValue: [ManagedValue]] = [:]
        for object in try context.fetch(FetchRequest(entityName: "Package")) {
            let section = try object.object(forKey: "section").map { try $0.value(forKey: "name") } ?? .null
            found[try object.value(forKey: "key")] =
                try ["name", "version", "text"].map { try object.value(forKey: $0) } + [section]
        }
        for package in packages {
            let values = ["Package", "Version", "Description", "Section"].map { name in
                package[name].map { ManagedValue.string($0) } ?? .null
            }
            #expect(found[.string(package["key"] ?? "")] == values)
        }
        let again = try await stack.importRows(entityName: "Package", from: JSONLines(.text(lines)))
        #expect(again.unchanged == packages.count && again.relatedInserted == 0)
    }

    @Test func `the database comes back from JSON lines, an array and a table as it was`() async throws {
        let packages = try Self.paragraphs()
        let expected = packages.map { $0.mapValues { ManagedValue.string($0) } }
        let encoder = JSONEncoder()
        let lines = try packages.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.joined(separator: "\n")
        #expect(try await Self.collect(JSONLines(.text(lines))) == expected)
        let array = try JSONSerialization.data(withJSONObject: packages, options: .prettyPrinted)
        #expect(try await Self.collect(JSONRows(.data(array))) == expected)
        let columns = Set(packages.flatMap(\.keys)).sorted()
        let table = packages.map { package in
            columns.map { column in
                package[column].map { "\"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" } ?? ""
            }.joined(separator: ";")
        }.joined(separator: "\r\n")
        let format = CSVFormat(delimiter: .semicolon)
        let cells = try await Self.collect(CSVRows(.text(table), format: format, columns: columns))
        #expect(cells.map { row in row.filter { !$0.value.isNull } } == expected)
    }
}

extension ManagedObject {
    /// The object of a to-one.
    fileprivate func object(forKey name: String) throws -> ManagedObject? {
        let relationship = try #require(entity.relationships.first { $0.name == name })
        return property(at: relationship.slot)
    }
}
