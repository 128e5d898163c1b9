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
    /// The state of the file that was last noted; nil if none was. A later one with another version has commits of other
    /// processes in it.
    private var noted: FileVersion?

    /// Whether the connection is not to be used again: see ``SQLiteFailure/spendsConnection``.
    private(set) var isSpent = false

    /// What triggers have written.
    let derivations: DerivationLog

    init(connection: SQLiteConnection, derivations: DerivationLog) {
        self.connection = connection
        self.derivations = derivations
    }

    /// Looks at what went wrong: some failures leave a connection that cannot be trusted.
    func note(_ failure: any Error) {
        if (failure as? SQLiteFailure)?.spendsConnection == true { isSpent = true }
    }

    /// Forgets what it knows of the file's numbers: they may be taken back, or others may have given some out.
    func forgetNumbers() {
        numbers = PrimaryKeyNumbers()
        historyStrings = [:]
    }

    // MARK: Other processes

    /// **Value.** A state of the file, as this connection numbers them.
    struct FileVersion: Equatable {
        /// Other connections' commits change it.
        let version: Int64
        /// Any commit changes it. Costs no statement.
        var changeCount: UInt32?
    }

    /// The state of the file if other processes have committed since one was noted; nil if they have not.
    func foreignVersion() throws -> FileVersion? {
        // A transaction has looked at the file.
        if connection.isInTransaction, let noted, noted.changeCount == connection.changeCount { return nil }
        let present = FileVersion(version: try connection.dataVersion(), changeCount: connection.changeCount)
        guard let noted, noted.version == present.version else { return present }
        self.noted = present
        return nil
    }

    /// Notes a state of the file. What was known of its numbers may be old.
    func note(_ version: FileVersion) {
        noted = version
        forgetNumbers()
    }

    /// Notes that this connection's own transaction has ended.
    func noteOwnChanges() { noted?.changeCount = connection.changeCount }

    // MARK: Primary keys

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
