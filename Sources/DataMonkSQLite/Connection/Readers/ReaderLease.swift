/// **Confined.** A pool's connection, lent to one owner until `end()` or until the last reference is released. Or one that is
/// no pool's, and inside a transaction, which ends with neither.
package final class ReaderLease {
    /// `nil` for a connection inside a transaction.
    private let pool: ReaderPool?
    /// `nil` once the lease has ended.
    // Unchecked exclusivity: confined, and each access is one load or store.
    @exclusivity(unchecked) private var lent: Lent?
    /// A Boolean value indicating whether the connection must not be lent again; see ``SQLiteFailure/spendsConnection``.
    var isSpent = false
    /// A Boolean value indicating whether this was the last connection that the pool could lend.
    package let isLast: Bool

    init(_ lent: Lent, of pool: ReaderPool, isLast: Bool) {
        self.lent = lent
        self.isLast = isLast
        self.pool = pool
    }

    /// Lends a connection inside a transaction, which the reader reads as it is.
    init(inTransaction connection: SQLiteConnection) {
        // nonisolated(unsafe): the lease hands it on to nobody else; see `end()`.
        nonisolated(unsafe) let connection = connection
        lent = Lent(connection)
        isLast = false
        pool = nil
    }

    /// Begins a read transaction. One that is open serves as well.
    func beginSnapshot() throws {
        if pool != nil { try connection.beginSnapshot() }
    }

    deinit {
        end()
    }

    /// The connection. It must not be used beyond the lease.
    package var connection: SQLiteConnection {
        guard let lent else {
            preconditionFailure("The reader was closed, and its connection may be in use by another reader")
        }
        return lent.value
    }

    /// Returns the connection to the pool and ends its snapshot. Ending twice has no effect.
    package func end() {
        guard let lent else { return }
        self.lent = nil
        guard let pool else { return }
        if isSpent { lent.value.abandon() }
        pool.checkIn(lent.surrender())
    }
}

@available(*, unavailable, message: "A lease has a single owner at a time, as its connection does")
extension ReaderLease: Sendable {}
