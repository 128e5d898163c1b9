import Foundation

/// **Value.** A row of values being built in memory: its columns, and the values it is grouped by.
struct ComposedRow {
    var columns: [ManagedValue]
    /// The paths that the row is grouped by, with their values.
    var groups: [(path: ResolvedPath, value: ManagedValue)] = []
    /// The values of sort terms that are not columns.
    var sortKeys: [ManagedValue] = []

    /// Returns the value of one side of a condition on groups.
    func value(of expression: ResolvedExpression) throws(FetchError) -> ManagedValue {
        switch expression {
        case .constant(let value): return value
        case .selection(let position, let kind): return kind.storageForm(of: columns[position])
        case .path(let path): return value(at: path)
        case .calculation(let calculation):
            return try calculation.value { operand throws(FetchError) in try value(of: operand) }
        case .conditional(let condition, let first, let second, let kind):
            return kind.storageForm(of: try condition.isTrue(of: self) ? value(of: first) : value(of: second))
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

/// **Value.** The values that distinguish rows, compared as a database does: text by its bytes, not by canonical
/// equivalence, and numbers by their value, whatever their type.
struct RowIdentity: Hashable {
    private let values: [ManagedValue]

    init(_ values: [ManagedValue]) {
        self.values = values.map { value in
            switch value.storageForm {
            case .string(let text): .data(.init(text.utf8))
            case .url(let url): .data(.init(url.absoluteString.utf8))
            case .double(let number): Int64(exactly: number).map { .int($0) } ?? value.storageForm
            case let other: other
            }
        }
    }
}
