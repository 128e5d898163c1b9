import DataMonkCore

/// **Value.** SQL that runs often, with a slot for its statement in every connection.
///
/// Looking a statement up by its text hashes the text (56 ns for a short SELECT, a tenth of a read by id). A slot is an
/// array index instead. Get one from a ``PreparedSQLTable`` and keep it.
package struct PreparedSQL: Hashable, Sendable {
    package let sql: String
    let slot: Int

    /// The statements of every connection, in the slots below those of a table.
    static let beginDeferred = PreparedSQL(sql: "BEGIN DEFERRED", slot: 0)
    static let beginImmediate = PreparedSQL(sql: "BEGIN IMMEDIATE", slot: 1)
    static let commit = PreparedSQL(sql: "COMMIT", slot: 2)
    static let rollback = PreparedSQL(sql: "ROLLBACK", slot: 3)
    /// The cheapest statement that reads the file.
    static let touch = PreparedSQL(sql: "PRAGMA user_version", slot: 4)
    static let dataVersion = PreparedSQL(sql: "PRAGMA data_version", slot: 5)
    /// For the outermost savepoint. Each save that shares a transaction has one.
    static let savepoint = PreparedSQL(sql: "SAVEPOINT level_1", slot: 6)
    static let release = PreparedSQL(sql: "RELEASE level_1", slot: 7)
    fileprivate static let reservedSlots = 8

    package static func == (one: PreparedSQL, other: PreparedSQL) -> Bool { one.sql == other.sql }

    package func hash(into hasher: inout Hasher) { hasher.combine(sql) }
}

/// **Shared.** Assigns a slot to each text. One table serves all connections of a store and never shrinks: it is meant for
/// the model's statements, not for those of users' conditions.
package final class PreparedSQLTable: Sendable {
    private let entries = Locked<[String: PreparedSQL]>([:])

    package init() {}

    /// Returns the entry for `sql`, always the same one.
    package func entry(for sql: String) -> PreparedSQL {
        entries.withLock { entries in
            if let known = entries[sql] { return known }
            let entry = PreparedSQL(sql: sql, slot: PreparedSQL.reservedSlots + entries.count)
            entries[sql] = entry
            return entry
        }
    }
}
