import DataMonk
import DataMonkSQLite
import Foundation

/// A store without its rows: what two stores of one version have in common, whichever way they came to it.
struct StoreShape: Equatable {
    /// The columns of each table, with their types and places in the key; in any order.
    private var tables: [String: Set<String>] = [:]
    /// The statements of indexes and triggers.
    private var statements: Set<String> = []
    /// The entities' numbers, names and superentities.
    private var numbers: [String] = []
    /// The keys and values that Core Data writes.
    private var metadata: [String: String] = [:]
    /// The entities that the store says it was written with.
    private var entities: [EntityDescription] = []

    init(_ url: URL) throws {
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readOnly))
        for object in try connection.schemaObjects() {
            if object.kind == .table {
                tables[object.name] = Set(
                    try Self.rows(
                        connection, "SELECT name || ' ' || type || ' ' || pk FROM pragma_table_info('\(object.name)')"))
            } else if let sql = object.sql {
                statements.insert(sql.replacing("\"", with: "").split(separator: " ").joined(separator: " "))
            }
        }
        numbers = try Self.rows(
            connection, "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1")
        let list = try connection.withStatement("SELECT Z_PLIST FROM Z_METADATA") { statement in
            try statement.step() ? statement.data(at: 0) : nil
        }
        let values = try PropertyListSerialization.propertyList(from: list ?? Data(), format: nil) as? [String: Any]
        // As the framework numbers itself; a migration leaves it as it is.
        metadata = (values ?? [:]).filter { $0.key.hasPrefix("NSStore") }.mapValues { value in
            (value as? [String: Data]).map { "\($0.sorted { $0.key < $1.key }.map { ($0, $1.base64EncodedString()) })" }
                ?? "\(value)"
        }
        try connection.close()
        entities = try ManagedObjectModel.load(fromStoreAt: url).entities.map(\.description)
    }

    private static func rows(_ connection: SQLiteConnection, _ sql: String) throws -> [String] {
        try connection.withStatement(sql) { statement in
            var rows: [String] = []
            while try statement.step() { rows.append(statement.text(at: 0) ?? "") }
            return rows
        }
    }

    /// What differs from another shape.
    func differences(from other: StoreShape) -> String {
        var lines: [String] = []
        for name in Set(tables.keys).union(other.tables.keys).sorted() where tables[name] != other.tables[name] {
            lines.append("\(name): \(tables[name] ?? []), not \(other.tables[name] ?? [])")
        }
        lines += statements.subtracting(other.statements).map { "too much: \($0)" }
        lines += other.statements.subtracting(statements).map { "missing: \($0)" }
        if numbers != other.numbers { lines.append("numbers: \(numbers), not \(other.numbers)") }
        for key in Set(metadata.keys).union(other.metadata.keys) where metadata[key] != other.metadata[key] {
            lines.append("\(key): \(metadata[key] ?? "missing"), not \(other.metadata[key] ?? "there")")
        }
        if entities != other.entities { lines.append("the model inside") }
        return lines.joined(separator: "\n")
    }
}
