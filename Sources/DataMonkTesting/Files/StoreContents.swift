import DataMonkCore
import DataMonkSQLite
public import Foundation

/// **Value.** The rows of a store's file as SQL reads them, with the values that lie in files of their own.
///
///     let before = try StoreContents(of: url)
///     disk.fail(FaultPlan(.diskFull, times: .max))
///     #expect(throws: StoreError.self) { try context.save() }
///     disk.heal()
///     #expect(try StoreContents(of: url) == before)
/// Two contents are equal if their tables are. Left out are the model, and the highest keys given out: these are checked to be
/// no lower than those of the tables (``damage``).
public struct StoreContents: Equatable, Codable, Sendable {
    /// **Value.** A value of a row.
    public enum Cell: Hashable, Codable, Sendable {
        /// `NULL`.
        case null
        /// An integer.
        case integer(Int64)
        /// A floating-point number.
        case double(Double)
        /// Text.
        case text(String)
        /// Bytes.
        case bytes(Data)
        /// The contents of the file that the row names; `nil` if there is no such file.
        case file(Data?)
    }

    /// A Boolean value indicating whether there was a file with anything in it.
    public private(set) var exists = false
    /// The rows of each table, by its name, in the order of their values. Empty if there is no file, or no table in it.
    public private(set) var tables: [String: [[Cell]]] = [:]
    /// The damage found, each as a sentence: the findings of `PRAGMA quick_check`, rows that name missing files, keys above
    /// the highest one given out.
    public private(set) var damage: [String] = []
    /// The names of the external files that rows refer to.
    public private(set) var fileNames: Set<String> = []

    private static let tablesLeftOut: Set<String> = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
    private static let columnsLeftOut: Set<String> = ["ATRANSACTION.ZTIMESTAMP"]

    /// Creates the contents of a store that does not exist.
    public init() {}

    /// Reads a file. What is in its log counts.
    ///
    /// - Parameters:
    ///   - url: The store's file, which need not exist.
    ///   - columns: Columns that are left out, as in `ZBOOK.ZDATE`, besides the times of the history.
    ///   - recovers: Whether a journal that a loss of power left is rolled back, which changes the file.
    /// - Throws: ``/DataMonkCore/StoreError`` if the file cannot be read.
    public init(of url: URL, leavingOut columns: Set<String> = [], recovers: Bool = false) throws {
        guard Self.size(of: url) > 0 || FileManager.default.fileExists(atPath: url.path + "-wal") else { return }
        exists = true
        try StoreError.translatingFailures(of: url) {
            let connection = try SQLiteConnection(
                fileURL: url, options: SQLiteOptions(access: recovers ? .readWrite : .readOnly))
            let check = try connection.text("PRAGMA quick_check")
            if check != "ok" { damage.append("quick_check: \(check ?? "nothing")") }
            let names = try connection.texts(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            for name in names where !Self.tablesLeftOut.contains(name) {
                tables[name] = try rows(of: name, leavingOut: columns.union(Self.columnsLeftOut), connection, url)
            }
            if names.contains("Z_PRIMARYKEY") { try checkKeys(connection, tables: Set(names)) }
            try connection.close()
        }
    }

    /// Returns the tables that differ, with some of the rows that only one side has, as text for a failed test.
    ///
    /// - Parameter other: The contents that were expected.
    public func difference(from other: StoreContents) -> String {
        let names = Set(tables.keys).union(other.tables.keys).sorted().filter { tables[$0] != other.tables[$0] }
        return names.map { name in
            let (mine, theirs) = (tables[name] ?? [], other.tables[name] ?? [])
            let extra = mine.filter { !theirs.contains($0) }.prefix(3)
            let missing = theirs.filter { !mine.contains($0) }.prefix(3)
            return "\(name): \(mine.count) rows for \(theirs.count), not expected \(extra), not there \(missing)"
                .prefix(900)
        }.joined(separator: "; ")
    }

    /// Returns `true` if the tables are equal.
    public static func == (one: StoreContents, other: StoreContents) -> Bool { one.tables == other.tables }

    /// Returns the folder in which a store keeps large values.
    ///
    /// - Parameter url: The store's file.
    public static func externalFiles(of url: URL) -> URL {
        SQLiteStore.externalDataFolder(of: url).appendingPathComponent("_EXTERNAL_DATA")
    }

    // MARK: Reading

    private static func size(of url: URL) -> Int {
        // Reason for try?: a file that does not exist has no attributes.
        let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    private mutating func rows(
        of table: String, leavingOut: Set<String>, _ connection: SQLiteConnection, _ url: URL
    ) throws -> [[Cell]] {
        let columns = try connection.texts("SELECT name FROM pragma_table_info('\(table)')").filter {
            !leavingOut.contains("\(table).\($0)")
        }
        let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return try connection.withStatement("SELECT \(names) FROM \"\(table)\" ORDER BY \(order)") { statement in
            var rows: [[Cell]] = []
            while try statement.step() { rows.append(columns.indices.map { cell($0, statement, url) }) }
            return rows
        }
    }

    private mutating func cell(_ column: Int, _ statement: SQLiteStatement, _ url: URL) -> Cell {
        switch statement.type(at: column) {
        case .null: return .null
        case .integer: return .integer(statement.int64(at: column))
        case .double: return .double(statement.double(at: column))
        case .text: return .text(statement.text(at: column) ?? "")
        case .blob:
            let bytes = statement.data(at: column) ?? Data()
            guard let name = Self.fileName(in: bytes) else { return .bytes(bytes) }
            fileNames.insert(name)
            // Reason for try?: a file that cannot be read is told as damage.
            let contents = try? Data(contentsOf: Self.externalFiles(of: url).appendingPathComponent(name))
            if contents == nil { damage.append("A row names the file \(name), which is missing.") }
            return .file(contents)
        }
    }

    /// A value in a file is stored as 2, the file's UUID as text, and mostly 0.
    private static func fileName(in bytes: Data) -> String? {
        guard [37, 38].contains(bytes.count), bytes.first == 2 else { return nil }
        let name = String(decoding: bytes.dropFirst().prefix(36), as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    private mutating func checkKeys(_ connection: SQLiteConnection, tables: Set<String>) throws {
        for entity in try connection.texts("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_SUPER = 0") {
            let table = "Z\(entity.uppercased())"
            guard tables.contains(table) else { continue }
            let isTooLow = try connection.int64(
                """
                SELECT (SELECT max(Z_PK) FROM "\(table)") > Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'
                """)
            if isTooLow != 0 { damage.append("Z_MAX of \(entity) is lower than a key of \(table).") }
        }
    }
}

extension SQLiteConnection {
    fileprivate func texts(_ sql: String) throws -> [String] {
        try withStatement(sql) { statement in
            var values: [String] = []
            while try statement.step() { values.append(statement.text(at: 0) ?? "") }
            return values
        }
    }
}
