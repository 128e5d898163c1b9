import DataMonkCore

/// **Confined.** A statement that reads single rows of one entity. It stays out of its connection's cache during a burst of
/// such reads: taking and returning it would cost a sixth of each read.
final class KeyRead {
    let entity: Int
    let plan: LoadPlan
    let sql: PreparedSQL
    let statement: SQLiteStatement

    init(entity: Int, select: SQLiteStatements.RowSelect, statement: SQLiteStatement) {
        self.entity = entity
        plan = select.plan
        sql = select.sql
        self.statement = statement
    }

    /// Returns the row of a key, or `nil` if there is none.
    ///
    /// - Parameter loader: The loader, which is not changed. A copy of it would be made for each row otherwise.
    func row(of key: ObjectKey, _ loader: inout RowLoader, in arena: inout RowArena) throws -> Row? {
        defer { statement.reset() }
        statement.bind(key.primaryKey, at: 1)
        guard try statement.step() else { return nil }
        // Packed before the call: as an argument, it would open a block that the arena on its left does not know yet. The
        // statement selects rows of one entity only.
        let pointer = try loader.pack(statement, plan: plan, position: 0, into: &arena)
        return arena.row(at: pointer)
    }
}

@available(*, unavailable)
extension KeyRead: Sendable {}
