public import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Value.** A row of a query with SQL.
///
/// ```swift
/// for row in try database.rows("SELECT Z_PK, Z_ENT, ZNAME, ZBORN FROM ZPERSON") {
///     let name = try row["ZNAME", as: String.self]
///     let born = try row[3, as: Date.self]
///     people.append((try database.objectID(of: Person.self, in: row), name, born))
/// }
/// ```
/// SQLite knows five kinds of values. A value is read in the type that is asked for, by the table of ``SQLDatabase``: a number
/// as a `Date`, 16 bytes as a `UUID`.
public struct SQLRow: Sendable {
    @usableFromInline let columns: RowColumns
    @usableFromInline private(set) var values: [ManagedValue]

    init(columns: RowColumns, values: [ManagedValue]) {
        self.columns = columns
        self.values = values
    }

    /// The names of the columns, as the statement gives them.
    public var columnNames: [String] { columns.names }

    /// The value of a column in a Swift type; `nil` if it is NULL. Of two columns with the same name, the first one.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownKey` if the row has no such column, or `typeMismatch` if
    ///   its value is not of that type.
    public subscript<Value: ManagedAttribute>(_ column: String, as type: Value.Type) -> Value? {
        get throws {
            guard let place = columns.place(of: column) else { throw FetchError.noColumn(column, in: columns) }
            return try self[place, as: type]
        }
    }

    /// The value of a column in a Swift type, by its position from 0; `nil` if it is NULL.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownKey` if the row has no such column, or `typeMismatch` if
    ///   its value is not of that type.
    @inlinable
    public subscript<Value: ManagedAttribute>(_ column: Int, as type: Value.Type) -> Value? {
        // Inlinable, because generic code would look up how the type is made of a value for each of many rows.
        get throws {
            guard values.indices.contains(column) else { throw noColumn(at: column) }
            if values[column].isNull { return nil }
            if let value = Value(managedValue: values[column].read(as: Value.attributeType)) { return value }
            throw mismatch(at: column, type)
        }
    }

    @usableFromInline
    func noColumn(at column: Int) -> FetchError { .noColumn("\(column)", in: columns) }

    @usableFromInline
    func mismatch(at column: Int, _ type: Any.Type) -> FetchError {
        .undecodable(columns.names[column], value: values[column], as: type)
    }

    /// Returns the row as a value of a type, by the names of its columns.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `typeMismatch` or `unknownKey` and the name of the column, and any
    ///   error of the type's initializer.
    public func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
        try RowDecoder.decode(type, columns: columns, values: values)
    }
}

extension SQLRow {
    /// Reads the current row of a statement, into the memory of the row before unless somebody has kept that.
    mutating func read(_ statement: SQLiteStatement) {
        if values.isEmpty {
            values = columns.names.indices.map(statement.managedValue)
        } else {
            for column in values.indices { values[column] = statement.managedValue(at: column) }
        }
    }

    /// Returns the row, whose memory the next one does not use.
    mutating func take() -> SQLRow {
        defer { values = [] }
        return self
    }
}

extension ManagedValue {
    /// Returns what a value that SQLite has stored stands for in an attribute of a type.
    @inlinable
    func read(as type: AttributeType) -> ManagedValue {
        switch type {
        case .boolean, .double, .float, .date, .decimal, .uuid, .uri: converted(to: type)
        default: self
        }
    }

    @usableFromInline
    func converted(to type: AttributeType) -> ManagedValue {
        switch (type, self) {
        case (.boolean, .int(let number)): .bool(number != 0)
        case (.double, .int(let number)), (.float, .int(let number)): .double(Double(number))
        case (.date, .int(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.decimal, .int(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): .decimal(nearest: number)
        case (.uuid, .data(let bytes)) where bytes.count == 16:
            .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (.uri, .string(let text)): URL(string: text).map { .url($0) } ?? self
        default: self
        }
    }
}
