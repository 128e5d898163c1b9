import DataMonkCore

// @unchecked Sendable: it has one owner at a time. `SQLiteStore.writer` passes it to one transaction, which returns it as
// its last act; the lock in between orders the owners' accesses.
/// **Confined.** The writing connection, and the highest primary keys it has seen.
final class SQLiteWriter: @unchecked Sendable {
    let connection: SQLiteConnection
    @exclusivity(unchecked)  // One owner, and no access reaches back to the writer.
    var numbers = PrimaryKeyNumbers()
    var history = KeptHistory.ignored
    /// The primary keys of strings in the history, valid as long as nobody else writes.
    var historyStrings: [String: Int64] = [:]
    /// The most recently recorded state of the file; `nil` if none was recorded. A state with another version contains
    /// commits of other processes.
    @exclusivity(unchecked)  // As above.
    private var noted: FileVersion?

    /// The failure after which the connection must not be used again; see ``SQLiteFailure/spendsConnection``.
    private(set) var spendingFailure: SQLiteFailure?

    /// A Boolean value indicating whether the connection must not be used again.
    var isSpent: Bool { spendingFailure != nil }

    /// The rows written by triggers.
    let derivations: DerivationLog
    let dueDeletions = DueDeletions()

    init(connection: SQLiteConnection, derivations: DerivationLog) throws {
        self.connection = connection
        self.derivations = derivations
        try connection.registerDueFunction(dueDeletions)
    }

    /// Examines a failure: some leave a connection that cannot be trusted.
    func note(_ failure: any Error) {
        guard let failure = failure as? SQLiteFailure else { return }
        if failure.spendsConnection, spendingFailure == nil { spendingFailure = failure }
        connection.noteFall(failure)
    }

    /// Discards the cached numbers of the file: they may be rolled back, or others may have assigned some.
    func forgetNumbers() {
        numbers = PrimaryKeyNumbers()
        historyStrings = [:]
    }

    // MARK: Other processes

    /// **Value.** A state of the file, as numbered by this connection.
    struct FileVersion: Equatable {
        /// Changes when another connection commits.
        let version: Int64
        /// Changes with every commit. Reading it runs no statement.
        var changeCount: UInt32?
    }

    /// Returns the state of the file if other processes have committed since the recorded one, otherwise `nil`.
    func foreignVersion() throws -> FileVersion? {
        // The transaction has already looked at the file.
        if connection.isInTransaction, let noted, noted.changeCount == connection.changeCount { return nil }
        let present = FileVersion(version: try connection.dataVersion(), changeCount: connection.changeCount)
        guard let noted, noted.version == present.version else { return present }
        self.noted = present
        return nil
    }

    /// Records a state of the file. The cached numbers may be outdated, and others may have begun a history.
    func note(_ version: FileVersion) {
        noted = version
        forgetNumbers()
        history.noteForeignCommits()
    }

    /// Records that this connection's own transaction has ended.
    func noteOwnChanges() { noted?.changeCount = connection.changeCount }

    // MARK: Primary keys

    /// Assigns consecutive primary keys and returns the first of them. `writeNumbers` must follow before COMMIT.
    func reservePrimaryKeys(_ count: Int, ofEntityNumber number: Int, in store: SQLiteStore) throws -> Int64 {
        let last = try numbers.last(ofEntityNumber: number) ?? store.lastPrimaryKey(ofEntityNumber: number, connection)
        // A damaged file may contain any number.
        guard (0...ObjectKey.maximumPrimaryKey - Int64(count)).contains(last) else {
            throw StoreError.unusablePrimaryKey(last, in: store.fileURL)
        }
        numbers.setLast(last + Int64(count), ofEntityNumber: number)
        return last + 1
    }

    /// Writes the highest assigned primary keys.
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
