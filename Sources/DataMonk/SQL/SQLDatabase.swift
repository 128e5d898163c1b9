public import DataMonkCore
import DataMonkSQLite

/// **Confined.** One state of a store's file, read with SQL in a body of ``Stack/read(storeAt:deadline:_:fileID:line:)``.
///
/// ```swift
/// let oldest = try await stack.read { database in
///     try database.value("SELECT max(ZAGE) FROM ZPERSON WHERE ZLOCATION = ?", "Taipei", as: Int.self)
/// }
/// ```
/// Arguments replace the question marks, in their order, and are never part of the text. Don't insert values into the text
/// with `\(…)`: a quote in a value would end the literal. An argument is a value of any attribute type, `nil`, or an id,
/// which stands for the object's primary key:
///
/// | Swift | in the file |
/// |---|---|
/// | `Bool`, integers, enums of them | INTEGER |
/// | `Double`, `Float` | REAL |
/// | `Date` | REAL, seconds since 2001 |
/// | `Decimal` | INTEGER if it is whole, else REAL |
/// | `String`, `URL`, enums of them | TEXT |
/// | `Data` | BLOB |
/// | `UUID` | BLOB of 16 bytes |
///
/// A list is one argument as JSON: `WHERE ZNAME IN (SELECT value FROM json_each(?))`.
///
/// All statements see the same snapshot, and may only read; see ``SQLError``. Each connection compiles a text once and keeps the
/// statement for later calls, unless the text is longer than 8 KB. The database ends with its body: later calls throw.
public final class SQLDatabase {
    /// `nil` once the body has returned.
    private var session: SQLSession?

    init(_ session: SQLSession) { self.session = session }

    func end() { session = nil }

    /// Returns the rows of a query.
    ///
    ///     let rows = try database.rows("SELECT ZNAME, ZAGE FROM ZPERSON WHERE ZAGE > ?", 17)
    ///     for row in rows { print(try row["ZNAME", as: String.self] ?? "", try row[1, as: Int.self] ?? 0) }
    ///
    /// - Throws: ``SQLError``; ``StoreError`` if the file cannot be read.
    public func rows(_ sql: String, _ arguments: (any FormatArgument)?...) throws -> [SQLRow] {
        try rows(sql, arguments)
    }

    /// Returns the rows of a query, decoded by the names of their columns.
    ///
    ///     struct NameAndAge: Decodable, Sendable { var name: String, age: Int }
    ///
    ///     try database.rows("SELECT ZNAME AS name, ZAGE AS age FROM ZPERSON", as: NameAndAge.self)
    ///
    /// - Throws: ``SQLError``; ``/DataMonkCore/FetchError`` with the code `typeMismatch` or `unknownKey` and the name of the
    ///   column if a row does not fit the type; ``StoreError`` if the file cannot be read.
    public func rows<Row: Decodable>(
        _ sql: String, _ arguments: (any FormatArgument)?..., as type: Row.Type
    ) throws -> [Row] {
        try rows(sql, arguments).map { try $0.decode(type) }
    }

    /// Returns the first value of the first row in a Swift type; `nil` if there is no row, or NULL in it.
    ///
    ///     let count = try database.value("SELECT count(*) FROM ZPERSON", as: Int.self) ?? 0
    ///
    /// - Throws: ``SQLError``; ``/DataMonkCore/FetchError`` with the code `typeMismatch` if the value is of another type;
    ///   ``StoreError`` if the file cannot be read.
    public func value<Value: ManagedAttribute>(
        _ sql: String, _ arguments: (any FormatArgument)?..., as type: Value.Type
    ) throws -> Value? {
        var value: Value?
        try run(sql, arguments) { row in
            value = try row[0, as: type]
            return false
        }
        return value
    }

    /// Calls a block with each row of a query, one at a time: for results that need not be in memory at once.
    ///
    ///     try database.forEachRow("SELECT ZNAME FROM ZPERSON") { row in
    ///         longest = max(longest, try row[0, as: String.self]?.count ?? 0)
    ///     }
    ///
    /// The block may run other queries. An error that it throws ends the call.
    ///
    /// - Throws: The error of the block; ``SQLError``; ``StoreError`` if the file cannot be read.
    public func forEachRow(
        _ sql: String, _ arguments: (any FormatArgument)?..., body: (SQLRow) throws -> Void
    ) throws {
        try run(sql, arguments) { row in
            try body(row)
            return true
        }
    }

    private func rows(_ sql: String, _ arguments: [(any FormatArgument)?]) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try run(sql, arguments) { row in
            rows.append(row.take())
            return true
        }
        return rows
    }

    /// Runs a query, and passes rows to `body` until that returns `false`.
    private func run(
        _ sql: String, _ arguments: [(any FormatArgument)?], body: (inout SQLRow) throws -> Bool
    ) throws {
        let values = arguments.map { $0?.formatArgument ?? .null }
        for (index, value) in values.enumerated() { try Self.check(value, number: index + 1, of: sql) }
        try withSession { session in
            do {
                try session.run(sql, values) { statement in
                    var hasRow = try session.step(statement)
                    // Not before the first step, which compiles a kept statement again if the schema has changed.
                    let columns = RowColumns((0..<statement.columnCount).map(statement.columnName), areStored: true)
                    var row = SQLRow(columns: columns, values: [])
                    while hasRow {
                        row.read(statement)
                        guard try body(&row) else { return }
                        hasRow = try session.step(statement)
                    }
                }
            } catch let problem as SQLProblem {
                throw try SQLError.error(for: problem, in: sql)
            }
        }
    }

    /// Refuses an argument that SQLite has no value for.
    private static func check(_ argument: ManagedValue, number: Int, of sql: String) throws {
        switch argument {
        case .object(let id) where id.isTemporaryID:
            throw SQLError.argument(number, "is the id of an object that was never saved. Save it first.", of: sql)
        case .list, .dictionary:
            throw SQLError.argument(
                number,
                "is \(argument.kind), which is no SQL value. Pass it as the text of a JSON array.",
                of: sql)
        case .double(let double) where double.isNaN:
            throw SQLError.argument(number, "is NaN, which SQLite does not have. Pass a number or nil.", of: sql)
        default: break
        }
    }

    func withSession<Result>(_ body: (SQLSession) throws -> Result) throws -> Result {
        guard let session else { throw SQLError.ended }
        return try body(session)
    }
}

@available(*, unavailable, message: "A database belongs to the body that it was passed to; return plain values or ids")
extension SQLDatabase: Sendable {}
