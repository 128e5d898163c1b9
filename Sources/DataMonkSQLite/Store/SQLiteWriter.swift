import DataMonkCore

// @unchecked Sendable: one owner at a time. `SQLiteStore.writer` hands it to one transaction, which gives it back as its
// last act; the lock between them orders what the two owners do.
/// **Confined.** The writing connection, and the highest primary keys it has seen.
final class SQLiteWriter: @unchecked Sendable {
    let connection: SQLiteConnection
    /// By the root entity's number: what Z_PRIMARYKEY holds, as long as nobody else writes.
    @exclusivity(unchecked)  // One owner, and no access reaches back to the writer.
    var lastPrimaryKeys: [Int: Int64] = [:]
    /// The numbers of texts in the history, as long as nobody else writes.
    var historyStrings: [String: Int64] = [:]
    /// SQLite's number of the state that this connection last saw, nil before its first transaction; another one means
    /// that another process wrote.
    var dataVersion: Int64?

    /// What triggers have written.
    let derivations: DerivationLog

    init(connection: SQLiteConnection, derivations: DerivationLog) {
        self.connection = connection
        self.derivations = derivations
    }

    /// Forgets what it knows of the file's numbers: they may be taken back, or others may have given some out.
    func forgetNumbers() {
        lastPrimaryKeys = [:]
        historyStrings = [:]
    }

    /// Gives out primary keys, consecutive ones: the first of them.
    func reservePrimaryKeys(_ count: Int, ofEntityNumber number: Int, _ store: SQLiteStore) throws -> Int64 {
        let last = try lastPrimaryKeys[number] ?? store.lastPrimaryKey(ofEntityNumber: number, connection)
        // A damaged file may say anything.
        guard (0...ObjectKey.maximumPrimaryKey - Int64(count)).contains(last) else {
            throw StoreError.unusablePrimaryKey(last, store.fileURL)
        }
        let new = last + Int64(count)
        try connection.withStatement(store.plans.setLastPrimaryKey) {
            $0.bind(new, at: 1)
            $0.bind(Int64(number), at: 2)
            try $0.run()
        }
        lastPrimaryKeys[number] = new
        return last + 1
    }
}
