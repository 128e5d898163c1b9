import DataMonkCore

// @unchecked Sendable: one owner at a time. `SQLiteStore.writer` hands it to one transaction, which gives it back as its
// last act; the lock between them orders what the two owners do.
/// **Confined.** The writing connection, and the highest primary keys it has seen.
final class SQLiteWriter: @unchecked Sendable {
    let connection: SQLiteConnection
    @exclusivity(unchecked)  // One owner, and no access reaches back to the writer.
    var numbers = PrimaryKeyNumbers()
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
        numbers = PrimaryKeyNumbers()
        historyStrings = [:]
    }

    /// Gives out primary keys, consecutive ones: the first of them. `writeNumbers` is to follow before COMMIT.
    func reservePrimaryKeys(_ count: Int, ofEntityNumber number: Int, _ store: SQLiteStore) throws -> Int64 {
        let last = try numbers.last(ofEntityNumber: number) ?? store.lastPrimaryKey(ofEntityNumber: number, connection)
        // A damaged file may say anything.
        guard (0...ObjectKey.maximumPrimaryKey - Int64(count)).contains(last) else {
            throw StoreError.unusablePrimaryKey(last, store.fileURL)
        }
        numbers.setLast(last + Int64(count), ofEntityNumber: number)
        return last + 1
    }

    /// Writes down which primary keys were given out.
    func writeNumbers(_ store: SQLiteStore) throws {
        try numbers.write { number, last in
            try connection.withStatement(store.plans.setLastPrimaryKey) {
                $0.bind(last, at: 1)
                $0.bind(Int64(number), at: 2)
                try $0.run()
            }
        }
    }
}
