package import DataMonkCore
package import DataMonkSQL
import Foundation

extension SQLiteStatement {
    /// Binds the constants of a compiled query, all of them.
    package func bind(_ bindings: [SQLBinding]) throws {
        for (index, binding) in bindings.enumerated() {
            switch binding {
            case .null: bindNull(at: index + 1)
            case .integer(let number): bind(number, at: index + 1)
            case .real(let number): bind(number, at: index + 1)
            case .text(let text): try bind(text, at: index + 1)
            case .blob(let data): try bind(data, at: index + 1)
            }
        }
    }

    /// The value in a column of the current row, by the type it has there; `ValueColumn` says what it means.
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
