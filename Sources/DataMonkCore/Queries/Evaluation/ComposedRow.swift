import Foundation

/// **Value.** A row of values being built in memory: its columns, and the values it is grouped by.
struct ComposedRow: ConditionSource {
    var columns: [ManagedValue]
    /// The paths that the row is grouped by, with their values.
    var groups: [(path: ResolvedPath, value: ManagedValue)] = []
    /// The values of sort terms that are not columns.
    var sortKeys: [ManagedValue] = []

    func value(at path: ResolvedPath) -> ManagedValue { groups.first { $0.path == path }?.value ?? .null }

    // The paths of conditions on groups lead to single values.
    func forEachValue(
        at path: ResolvedPath, _ body: (ManagedValue) throws(FetchError) -> Bool
    ) throws(FetchError) { _ = try body(value(at: path)) }

    func key(at path: ResolvedPath) -> ObjectKey? {
        if case .object(let id) = value(at: path) { id.key } else { nil }
    }

    func keys(at path: ResolvedPath) -> [ObjectKey?] { [key(at: path)] }

    func column(at position: Int) -> ManagedValue { columns[position] }

    // Conditions on groups have no subqueries.
    func value(of subquery: ResolvedSubquery) -> ManagedValue { .null }
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
