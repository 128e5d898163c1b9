import Foundation

/// **Value.** A row of values as it is put together in memory: its columns, and the values of what it is grouped by.
struct ComposedRow {
    var columns: [ManagedValue]
    /// What the row is grouped by, each with its value.
    var groups: [(path: ResolvedPath, value: ManagedValue)] = []
    /// The values that the order looks at and that are no columns.
    var sortKeys: [ManagedValue] = []

    /// The value of one side of a condition on groups.
    func value(of expression: ResolvedExpression) throws(FetchError) -> ManagedValue {
        switch expression {
        case .constant(let value): return value
        case .selection(let position, _): return columns[position]
        case .path(let path): return value(at: path)
        case .calculation(let calculation):
            var operands: [ManagedValue] = []
            for operand in calculation.operands { operands.append(try value(of: operand)) }
            return calculation.kind.worked(out: Calculation.value(of: calculation.function, operands))
        case .conditional(let condition, let first, let second, let kind):
            return kind.worked(out: try condition.isTrue(of: self) ? value(of: first) : value(of: second))
        case .subquery: return .null
        }
    }

    private func value(at path: ResolvedPath) -> ManagedValue { groups.first { $0.path == path }?.value ?? .null }

    func isTrue(_ identity: ResolvedIdentity) -> Bool {
        let expected: [ObjectKey?] =
            switch identity.other {
            case .keys(let keys): keys
            case .path(let path): [key(at: path)]
            }
        return identity.isTrue(key(at: identity.path), expected)
    }

    private func key(at path: ResolvedPath) -> ObjectKey? {
        if case .object(let id) = value(at: path) { id.key } else { nil }
    }
}

/// **Value.** Values as rows are told apart by: text by its bytes, as a database does, not by canonical equivalence.
struct RowIdentity: Hashable {
    private let values: [ManagedValue]

    init(_ values: [ManagedValue]) {
        self.values = values.map { value in
            switch value {
            case .string(let text): .data(.init(text.utf8))
            case .url(let url): .data(.init(url.absoluteString.utf8))
            default: value
            }
        }
    }
}
