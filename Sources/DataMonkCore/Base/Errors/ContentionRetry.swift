import Foundation

/// **Value.** The repetitions of a write that meets other processes' writes: five at most, one of them after a wait for a lock,
/// since that has taken its time already, and waits no longer than a moment. There are none after a deadline. A write that only
/// assumed too much was none, and is repeated in any case.
package struct ContentionRetry {
    private static let limit = 5
    private var count = 0
    private let isPatient: Bool
    /// A Boolean value indicating whether a lock was waited for in vain.
    private var hasMissedLock = false
    /// The time until which the write is repeated.
    private var deadline: ContinuousClock.Instant

    /// The time until which the next attempt waits for locks.
    package var lockDeadline: ContinuousClock.Instant { isPatient && !hasMissedLock ? deadline : .now }

    /// - Parameters:
    ///   - duration: The time for which the write is repeated.
    ///   - isPatient: Whether it waits for locks for longer than a moment.
    package init(for duration: Duration, isPatient: Bool) {
        deadline = .now + duration
        self.isPatient = isPatient
    }

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
        guard let error = error as? StoreError, error.isContention, !(error.isLockTimeout && hasMissedLock)
        else { return false }
        // It has not been tried yet.
        if error.isOutdated { return true }
        if error.isLockTimeout { hasMissedLock = true }
        guard deadline > .now, count < Self.limit else { return false }
        count += 1
        // Sleeps on the thread that writes, whose turn it is. With jitter, so that writers that have met do not meet again.
        Thread.sleep(forTimeInterval: .random(in: 0...0.01) * Double(1 << count))
        return true
    }
}
