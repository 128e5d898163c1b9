/// **Confined.** A pool's connection in the hands of one owner, until `end()` or the last reference goes.
package final class ReaderLease {
    private let pool: ReaderPool
    /// `nil` once ended.
    private var lent: Lent?
    /// Whether the connection is not to be lent again: see ``SQLiteFailure/spendsConnection``.
    var isSpent = false
    /// Whether the pool had no other connection to lend when this one was taken.
    package let isLast: Bool

    init(_ lent: Lent, of pool: ReaderPool, isLast: Bool) {
        self.lent = lent
        self.isLast = isLast
        self.pool = pool
    }

    deinit {
        end()
    }

    /// The connection. It must not be kept beyond the lease.
    package var connection: SQLiteConnection {
        guard let lent else { preconditionFailure("The reader has ended: its connection serves somebody else") }
        return lent.value
    }

    /// Gives the connection back, and with it its snapshot. Ending twice is nothing.
    package func end() {
        guard let lent else { return }
        self.lent = nil
        if isSpent { lent.value.abandon() }
        pool.checkIn(lent.surrender())
    }
}

@available(*, unavailable, message: "A lease belongs to one owner, as its connection does")
extension ReaderLease: Sendable {}
