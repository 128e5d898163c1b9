import DataMonkCore

/// **Confined.** A statement that reads single rows of one entity, out of its connection's cache for as long as a burst of
/// such reads lasts: taking it and giving it back would be a sixth of each read.
final class KeyRead {
    let entity: Int
    let plan: LoadPlan
    let sql: PreparedSQL
    let statement: SQLiteStatement

    init(entity: Int, _ select: SQLiteStatements.RowSelect, _ statement: SQLiteStatement) {
        self.entity = entity
        plan = select.plan
        sql = select.sql
        self.statement = statement
    }

    /// The row of a key; nil if there is none.
    func row(of key: ObjectKey, _ loader: RowLoader, in arena: inout RowArena) throws -> Row? {
        defer { statement.reset() }
        statement.bind(key.primaryKey, at: 1)
        guard try statement.step() else { return nil }
        // Packed first: as an argument it would open a block that the arena on its left does not know yet. The statement
        // selects rows of one entity alone.
        let pointer = try loader.pack(statement, plan, 0, &arena)
        return arena.row(at: pointer)
    }
}

@available(*, unavailable)
extension KeyRead: Sendable {}
