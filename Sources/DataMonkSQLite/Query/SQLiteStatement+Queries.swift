package import DataMonkCore
package import DataMonkSQL
import Foundation

extension SQLiteConnection {
    /// Runs a statement that yields no rows, with constants for its parameters.
    func run(_ sql: String, _ bindings: [SQLBinding]) throws {
        try withStatement(sql) { statement in
            try statement.bind(bindings)
            try statement.run()
        }
    }
}

extension SQLiteStatement {
    /// Binds all constants of a compiled query.
    package func bind(_ bindings: [SQLBinding]) throws {
        for (index, binding) in bindings.enumerated() { try bind(binding, at: index + 1) }
    }

    /// Binds one constant.
    package func bind(_ binding: SQLBinding, at parameter: Int) throws {
        switch binding {
        case .null: bindNull(at: parameter)
        case .integer(let number): bind(number, at: parameter)
        case .real(let number): bind(number, at: parameter)
        case .text(let text): try bind(text, at: parameter)
        case .blob(let data): try bind(data, at: parameter)
        }
    }

    /// Appends the value in a column of the current row if it is shown as it is stored: of the form, or null. Returns `false` if
    /// it is not.
    @inline(__always)
    func appendPlainValue(at column: Int, of form: ValueColumn.PlainForm?, to rows: inout ValueRows) -> Bool {
        switch (form, type(at: column)) {
        case (.integer, .integer): rows.append(int64(at: column))
        case (.double, .double): rows.append(double(at: column))
        case (.string, .text): rows.append(utf8: unsafeText(at: column))
        case (_, .null): rows.appendNull()
        default: return false
        }
        return true
    }

    /// Returns the value in a column of the current row as the operand of an aggregate.
    @inline(__always)
    func operand(in column: ValueColumn) -> ManagedValue {
        switch (column.plainForm, type(at: column.position)) {
        case (.integer, .integer): .int(int64(at: column.position))
        case (.double, .double): .double(double(at: column.position))
        case (_, .null): .null
        default: column.kind.operand(managedValue(at: column.position))
        }
    }

    /// Returns the value in a column of the current row, in its stored type. `ValueColumn` interprets it.
    package func managedValue(at column: Int) -> ManagedValue {
        switch type(at: column) {
        case .null: .null
        case .integer: .int(int64(at: column))
        case .double: .double(double(at: column))
        case .text: .string(text(at: column) ?? "")
        case .blob: .data(data(at: column) ?? Data())
        }
    }
}
