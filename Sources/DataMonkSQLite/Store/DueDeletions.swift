import DataMonkCore

/// **Shared.** The rows that one DELETE of a range of keys is to delete, for the function that decides on each row.
///
/// A statement for each row searches the table from its root each time. One for a range goes on from row to row.
final class DueDeletions: Sendable {
    private struct State: Sendable {
        /// In ascending order of the keys.
        var due: [Due] = []
        /// The place of the next row if it is due.
        var next = 0
    }

    private struct Due: Sendable {
        let primaryKey: Int64
        /// The version that the row must have; `nil` for any.
        let version: Int64?
        var isFound = false
    }

    private let state = Locked(State())

    /// Calls `body`, which runs a statement that deletes the rows for which the function returns 1.
    ///
    /// - Parameter deletions: In ascending order of the keys.
    /// - Returns: For each of them, whether a row of its version was found.
    func deleting(_ deletions: ArraySlice<ChangeSet.Deletion>, by body: () throws -> Void) throws -> [Bool] {
        state.withLock { state in
            state.due = deletions.map { Due(primaryKey: $0.key.primaryKey, version: $0.base?.version) }
        }
        defer { state.withLock { $0 = State() } }
        try body()
        return state.withLock { state in state.due.map(\.isFound) }
    }

    fileprivate func isDue(_ primaryKey: Int64, version: Int64?) -> Bool {
        state.withLock { state in
            var place = state.next
            if !(place < state.due.count && state.due[place].primaryKey == primaryKey) {
                place = state.due.indices.partitionPoint { state.due[$0].primaryKey >= primaryKey }
            }
            guard place < state.due.count, state.due[place].primaryKey == primaryKey else { return false }
            state.next = place + 1
            let expected = state.due[place].version
            guard expected == nil || expected == version else { return false }
            state.due[place].isFound = true
            return true
        }
    }
}

extension SQLiteConnection {
    /// Registers the function `datamonk_isDue(Z_PK, Z_OPT)`.
    func registerDueFunction(_ deletions: DueDeletions) throws {
        try registerFunction("datamonk_isDue", argumentCount: 2, trust: .directOnly) { call in
            let version = call.type(at: 1) == .integer ? call.int64(at: 1) : nil
            call.returnValue(deletions.isDue(call.int64(at: 0), version: version))
        }
    }
}
