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
