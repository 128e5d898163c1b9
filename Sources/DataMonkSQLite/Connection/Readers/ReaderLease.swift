/// **Confined.** A pool's connection, lent to one owner until `end()` or until the last reference is released.
package final class ReaderLease {
    private let pool: ReaderPool
    /// `nil` once the lease has ended.
    private var lent: Lent?
    /// A Boolean value indicating whether the connection must not be lent again; see ``SQLiteFailure/spendsConnection``.
    var isSpent = false
    /// A Boolean value indicating whether this was the last connection that the pool could lend.
    package let isLast: Bool

    init(_ lent: Lent, of pool: ReaderPool, isLast: Bool) {
        self.lent = lent
        self.isLast = isLast
        self.pool = pool
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
        if isSpent { lent.value.abandon() }
        pool.checkIn(lent.surrender())
    }
}

@available(*, unavailable, message: "A lease has a single owner at a time, as its connection does")
extension ReaderLease: Sendable {}
