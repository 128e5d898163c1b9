package import DataMonkCore
import DataMonkSQL
import Foundation

extension SQLiteConnection {
    /// Registers the functions, aggregates and collations that compiled queries use. Call it once for each connection.
    package func registerQueryFunctions() throws {
        for function in SQLFunction.allCases {
            try registerFunction(function.name, argumentCount: function.argumentCount) { try function.answer($0) }
        }
        for aggregate in SQLAggregate.allCases {
            try registerAggregate(aggregate.name, argumentCount: aggregate.argumentCount) {
                SQLiteQueryAggregate(aggregate.makeState())
            }
        }
        for collation in SQLCollation.allCases {
            try registerCollation(collation.name) { collation.compare($0, $1) }
        }
    }
}

/// **Confined.** An aggregate of a query over one group of rows, as SQLite calls it.
private final class SQLiteQueryAggregate: SQLiteAggregate {
    private let state: SQLAggregate.State

    init(_ state: SQLAggregate.State) { self.state = state }

    func step(_ call: borrowing SQLiteFunctionCall) throws { state.step(call) }

    func finish(_ call: borrowing SQLiteFunctionCall) throws { state.finish(call) }
}

@available(*, unavailable)
extension SQLiteQueryAggregate: Sendable {}

extension SQLiteFunctionCall: SQLFunctionCall {
    package func managedValue(at index: Int) -> ManagedValue {
        switch type(at: index) {
        case .null: .null
        case .integer: .int(int64(at: index))
        case .double: .double(double(at: index))
        case .text: .string(text(at: index) ?? "")
        case .blob: withBlob(at: index) { .data(Data($0)) }
        }
    }
}
