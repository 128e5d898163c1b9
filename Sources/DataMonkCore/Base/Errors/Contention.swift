/// An error of a store's driver that knows whether other processes' work was its only cause.
package protocol ContentionFailure: Error {
    /// A Boolean value indicating whether the transaction failed only because others were writing the same rows.
    var isContention: Bool { get }
    /// A Boolean value indicating whether a lock was not to be had in time, perhaps because nobody gives it back.
    var isLockTimeout: Bool { get }
    /// A Boolean value indicating whether the transaction was only begun on an assumption that was wrong. The next one assumes
    /// nothing.
    var isOutdated: Bool { get }
}

extension ContentionFailure {
    package var isOutdated: Bool { false }
}

extension StoreError {
    /// A Boolean value indicating whether nothing was written because other processes were writing the same rows: a deadlock,
    /// a serialization failure, or a lock that was not to be had in time. The same write may succeed if it is repeated.
    package var isContention: Bool { contention?.isContention == true }

    /// A Boolean value indicating whether a lock of another process was not to be had in time.
    package var isLockTimeout: Bool { contention?.isLockTimeout == true }

    /// A Boolean value indicating whether nothing was written because an assumption was wrong.
    package var isOutdated: Bool { contention?.isOutdated == true }

    private var contention: (any ContentionFailure)? { underlyingError as? any ContentionFailure }
}
