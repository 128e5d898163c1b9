import Foundation

/// An error of a store's driver that knows whether other processes' work was its only cause.
package protocol ContentionFailure: Error {
    /// A Boolean value indicating whether the transaction failed only because others were writing the same rows.
    var isContention: Bool { get }
    /// A Boolean value indicating whether a lock was not to be had in time, perhaps because nobody gives it back.
    var isLockTimeout: Bool { get }
}

extension StoreError {
    /// A Boolean value indicating whether nothing was written because other processes were writing the same rows: a deadlock,
    /// a serialization failure, or a lock that was not to be had in time. The same write may succeed if it is repeated.
    package var isContention: Bool { contention?.isContention == true }

    fileprivate var contention: (any ContentionFailure)? { underlyingError as? any ContentionFailure }
}

/// **Value.** The repetitions of a write that meets other processes' writes: five at most, one of them after a wait for a lock,
/// since that has taken its time already, and waits no longer than a moment. There are none after a deadline.
package struct ContentionRetry {
    private static let limit = 5
    private var count = 0
    /// A Boolean value indicating whether a lock was waited for in vain.
    private(set) package var hasMissedLock = false
    /// The time until which the write is repeated.
    private(set) package var deadline: ContinuousClock.Instant

    /// The time until which the next attempt waits for locks.
    package var lockDeadline: ContinuousClock.Instant { hasMissedLock ? .now : deadline }

    /// - Parameter duration: The time for which the write is repeated.
    package init(for duration: Duration) { deadline = .now + duration }

    /// Returns the repetitions of a part of the write, which has a deadline of its own.
    package func limited(to deadline: ContinuousClock.Instant?) -> ContentionRetry {
        var part = self
        if let deadline { part.deadline = min(deadline, self.deadline) }
        return part
    }

    /// Takes over from a part whether a lock was waited for in vain.
    package mutating func note(_ part: ContentionRetry) { hasMissedLock = hasMissedLock || part.hasMissedLock }

    /// Returns `true` if a write that failed with an error is to run again, after a short wait.
    package mutating func waits(after error: any Error) -> Bool {
        guard let failure = (error as? StoreError)?.contention, failure.isContention,
            !(failure.isLockTimeout && hasMissedLock)
        else { return false }
        if failure.isLockTimeout { hasMissedLock = true }
        guard deadline > .now, count < Self.limit else { return false }
        count += 1
        // Jitter, so that writers that have met do not meet again.
        Thread.sleep(forTimeInterval: .random(in: 0...0.01) * Double(1 << count))
        return true
    }
}
