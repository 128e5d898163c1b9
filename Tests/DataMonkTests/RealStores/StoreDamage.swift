import DataMonkSQLite
import DataMonkTesting
import Foundation

/// Ways to damage a store.
enum StoreDamage: CaseIterable {
    /// Bytes anywhere in the file.
    case bytes
    /// Bytes at the beginning of a page: its header and cell pointers.
    case pageHeader
    /// Bytes of the first page: the file's header and the schema's text.
    case schemaText
    /// The file ends early.
    case truncation
    /// Bytes of the log, if there is one, else anywhere.
    case log
    /// Bytes of the metadata's property list.
    case metadata
    /// The model in the store.
    case modelCache
    /// Numbers and names of entities, and the highest keys.
    case primaryKeys
    /// The entity of rows.
    case rowEntities
    /// Values of every column, of other types and out of range.
    case values
    /// Tables and columns go or get other names.
    case schema
}

extension StoreDamage {
    func inflict(on copy: StoreCopy, using random: inout SeededGenerator) throws {
        switch self {
        case .bytes: try change(copy.url, 0..<Int.max, using: &random)
        case .schemaText: try change(copy.url, 0..<4_096, using: &random)
        case .pageHeader:
            let pages = try Data(contentsOf: copy.url).count / 4_096
            let page = Int.random(in: 0..<max(1, pages), using: &random) * 4_096
            try change(copy.url, page..<page + 40, using: &random)
        case .truncation:
            let data = try Data(contentsOf: copy.url)
            try data.prefix(.random(in: 0...data.count, using: &random)).write(to: copy.url)
        case .log:
            let log = URL(filePath: copy.url.path + "-wal")
            try change(FileManager.default.fileExists(atPath: log.path) ? log : copy.url, 0..<Int.max, using: &random)
        default:
            let connection = try SQLiteConnection(fileURL: copy.url, options: SQLiteOptions(access: .readWrite))
            for _ in 0..<Int.random(in: 1...4, using: &random) { try inflict(on: connection, using: &random) }
            try connection.close()
        }
    }

    /// Puts other bytes into some places of a range.
    private func change(_ file: URL, _ range: Range<Int>, using random: inout SeededGenerator) throws {
        var data = try Data(contentsOf: file)
        let range = range.clamped(to: 0..<data.count)
        guard !range.isEmpty else { return }
        for _ in 0..<Int.random(in: 1...16, using: &random) {
            data[Int.random(in: range, using: &random)] = .random(in: 0...255, using: &random)
        }
        try data.write(to: file)
    }

    // MARK: By statements

    private func inflict(on connection: SQLiteConnection, using random: inout SeededGenerator) throws {
        switch self {
        case .metadata: try changeBlob("Z_METADATA", "Z_PLIST", connection, using: &random)
        case .modelCache: try changeBlob("Z_MODELCACHE", "Z_CONTENT", connection, using: &random)
        case .primaryKeys:
            let column = ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].randomElement(using: &random) ?? ""
            run(
                "UPDATE OR IGNORE Z_PRIMARYKEY SET \(column) = \(Self.value(&random)) \(Self.some(&random))", connection
            )
        case .rowEntities:
            let table = try tables(connection).randomElement(using: &random) ?? ""
            run("UPDATE \(table) SET Z_ENT = \(Self.value(&random)) \(Self.some(&random))", connection)
        case .values:
            let table = try tables(connection).randomElement(using: &random) ?? ""
            let column = try columns(of: table, connection).randomElement(using: &random) ?? ""
            run("UPDATE OR IGNORE \(table) SET \(column) = \(Self.value(&random)) \(Self.some(&random))", connection)
        default:
            let table =
                (try tables(connection) + ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"])
                .randomElement(using: &random) ?? ""
            let column = try columns(of: table, connection).randomElement(using: &random) ?? ""
            let statements = [
                "DROP TABLE \(table)", "ALTER TABLE \(table) DROP COLUMN \(column)",
                "ALTER TABLE \(table) RENAME COLUMN \(column) TO ZSTRAY", "ALTER TABLE \(table) RENAME TO ZSTRAY",
                "ALTER TABLE \(table) ADD COLUMN ZSTRAY BLOB", "DELETE FROM \(table)",
                "CREATE VIEW ZVIEW AS SELECT * FROM \(table)",
                "CREATE TRIGGER ZTRIGGER AFTER INSERT ON \(table) BEGIN DELETE FROM \(table); END",
            ]
            run(statements.randomElement(using: &random) ?? "", connection)
        }
    }

    /// What cannot be done to a store, like dropping a column of its primary key, is not done.
    private func run(_ sql: String, _ connection: SQLiteConnection) {
        try? connection.execute(sql)  // As said.
    }

    private func changeBlob(
        _ table: String, _ column: String, _ connection: SQLiteConnection, using random: inout SeededGenerator
    ) throws {
        var hexadecimal = Array((try connection.text("SELECT hex(\(column)) FROM \(table)") ?? "").utf8)
        guard !hexadecimal.isEmpty else { return }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Int.random(in: hexadecimal.indices, using: &random)
            hexadecimal[place] = Array("0123456789ABCDEF".utf8).randomElement(using: &random) ?? 48
        }
        if Bool.random(using: &random) {
            hexadecimal = Array(hexadecimal.prefix(.random(in: 0...hexadecimal.count / 2, using: &random) * 2))
        }
        run("UPDATE \(table) SET \(column) = x'\(String(decoding: hexadecimal, as: UTF8.self))'", connection)
    }

    private func tables(_ connection: SQLiteConnection) throws -> [String] {
        try connection.schemaObjects().filter {
            $0.kind == .table && !$0.name.hasPrefix("Z_M") && $0.name != "Z_PRIMARYKEY"
        }
        .map(\.name)
    }

    private func columns(of table: String, _ connection: SQLiteConnection) throws -> [String] {
        try connection.withStatement("SELECT name FROM pragma_table_info(?)") { statement in
            try statement.bind(table, at: 1)
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0) ?? "") }
            return names
        }
    }

    private static func some(_ random: inout SeededGenerator) -> String {
        Bool.random(using: &random) ? "" : "WHERE rowid % \(Int.random(in: 2...5, using: &random)) = 0"
    }

    private static func value(_ random: inout SeededGenerator) -> String {
        [
            "NULL", "0", "1", "2", "-1", "16001", "9223372036854775807", "-9223372036854775808", "1.5", "1e308",
            "-9e999",
            "''", "'text'", "'2'", "x''", "x'00'", "x'FF00'", "x'C328'", "zeroblob(100000)", "rowid % 9",
            "CAST(x'FFFEFD' AS TEXT)", "char(0)",
        ].randomElement(using: &random) ?? "NULL"
    }
}
