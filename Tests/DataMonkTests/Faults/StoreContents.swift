import DataMonkSQLite
import Foundation

/// What the tables of a store hold by SQL, values in files of their own included.
///
/// Left out are times, keys that a second attempt may give anew, the highest keys given out (checked to be no lower than those of the tables), and the model.
struct StoreContents: Equatable {
    enum Cell: Equatable {
        case null
        case int(Int64)
        case double(Double)
        case text(String)
        case bytes(Data)
        /// A file of the external data.
        case file(Data?)
    }

    /// By table and row; empty for a file without tables, or none.
    private(set) var tables: [String: [[Cell]]] = [:]
    /// What must never be.
    private(set) var damage: [String] = []
    /// The names of the files that rows refer to.
    private(set) var fileNames: Set<String> = []

    private static let leftOut: Set<String> = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
    /// Times, and the keys of tags: those of a failed batch are not given out again.
    private static let leftOutColumns: Set<String> = ["ATRANSACTION.ZTIMESTAMP", "ZFAULTTAG.Z_PK"]

    /// No file, or no table.
    init() {}

    /// - Parameter recovers: Whether a journal that a loss of power left is rolled back, which changes the file.
    init(_ url: URL, recovers: Bool = false) throws {
        guard let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber,
            size.intValue > 0 || FileManager.default.fileExists(atPath: url.path + "-wal")
        else { return }
        let connection = try SQLiteConnection(
            fileURL: url, options: SQLiteOptions(access: recovers ? .readWrite : .readOnly))
        let check = try connection.text("PRAGMA quick_check")
        if check != "ok" { damage.append("quick_check: \(check ?? "nothing")") }
        let names = try connection.column(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        for name in names where !Self.leftOut.contains(name) { tables[name] = try rows(name, connection, url) }
        if names.contains("Z_PRIMARYKEY") { try checkKeys(connection, names) }
        try connection.close()
    }

    private mutating func rows(_ name: String, _ connection: SQLiteConnection, _ url: URL) throws -> [[Cell]] {
        let columns = try connection.column("SELECT name FROM pragma_table_info('\(name)')").filter {
            !Self.leftOutColumns.contains("\(name).\($0)")
        }
        let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(name) ORDER BY \(order)"
        return try connection.withStatement(sql) { statement in
            var rows: [[Cell]] = []
            while try statement.step() { rows.append(columns.indices.map { cell($0, statement, url) }) }
            return rows
        }
    }

    private mutating func cell(_ column: Int, _ statement: SQLiteStatement, _ url: URL) -> Cell {
        switch statement.type(at: column) {
        case .null: return .null
        case .integer: return .int(statement.int64(at: column))
        case .double: return .double(statement.double(at: column))
        case .text: return .text(statement.text(at: column) ?? "")
        case .blob:
            let bytes = statement.data(at: column) ?? Data()
            guard bytes.count == 38, bytes.first == 2 else { return .bytes(bytes) }
            let name = String(decoding: bytes.dropFirst().prefix(36), as: UTF8.self)
            fileNames.insert(name)
            let contents = try? Data(contentsOf: Self.folder(of: url).appendingPathComponent(name))
            if contents == nil { damage.append("a row names the file \(name), which is missing") }
            return .file(contents)
        }
    }

    private mutating func checkKeys(_ connection: SQLiteConnection, _ names: [String]) throws {
        for name in names where name.hasPrefix("ZFAULT") {
            let entity = name.dropFirst().lowercased()
            let sql = """
                SELECT (SELECT max(Z_PK) FROM \(name)) > Z_MAX FROM Z_PRIMARYKEY WHERE lower(Z_NAME) = '\(entity)'
                """
            if try connection.int64(sql) != 0 { damage.append("Z_MAX of \(name) is too low") }
        }
    }

    /// The folder of the external data of a store.
    static func folder(of url: URL) -> URL {
        url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
    }

    /// The tables whose rows differ, with some of them.
    func difference(from other: StoreContents) -> String {
        let names = Set(tables.keys).union(other.tables.keys).sorted().filter { tables[$0] != other.tables[$0] }
        return names.map { name in
            let (mine, theirs) = (tables[name] ?? [], other.tables[name] ?? [])
            let extra = mine.filter { !theirs.contains($0) }.prefix(3)
            let missing = theirs.filter { !mine.contains($0) }.prefix(3)
            return "\(name): \(mine.count) rows for \(theirs.count), not expected \(extra), not there \(missing)"
                .prefix(900)
        }.joined(separator: "; ")
    }

    static func == (one: StoreContents, other: StoreContents) -> Bool { one.tables == other.tables }
}

extension SQLiteConnection {
    fileprivate func column(_ sql: String) throws -> [String] {
        try withStatement(sql) { statement in
            var values: [String] = []
            while try statement.step() { values.append(statement.text(at: 0) ?? "") }
            return values
        }
    }
}
