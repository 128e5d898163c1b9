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
}

@available(*, unavailable)
extension KeyRead: Sendable {}
