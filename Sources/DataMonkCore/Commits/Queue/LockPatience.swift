/// **Value.** The patience of a commit queue with locks that other processes keep.
///
/// A batch waits for locks for as long as its store does, or until its deadline. If the store has given up, somebody may keep
/// the lock, and the next batches wait for no more than a moment. A batch whose deadline came first says little about the
/// lock. But its wait has stopped the queue, so such waits add up.
///
///     patient   --a batch misses a lock before its deadline-->                            impatient
///     patient   --waits behind deadlines add up to a sixth of the store's time-->         impatient
///     impatient --no batch misses one for a third of the store's time for repetitions--> patient
///     impatient --all of that time has passed-->                                          patient
///
/// A store waits for a lock for about a sixth of that time. So the queue spends at most a third of its time on waits in vain,
/// soon waits again for a lock that is free again, and is never impatient for ever with a row that many write.
package struct LockPatience: Sendable {
    /// The time from which batches wait for locks again; `nil` if none was missed lately.
    private var waitsFrom: ContinuousClock.Instant?
    /// The time from which they do whatever is missed until then.
    private var end = ContinuousClock.now
    /// The waits that ended at a deadline, and the time from which they are added up.
    private var waits = (sum: Duration.zero, start: ContinuousClock.now)

    package init() {}

    /// Returns whether a batch waits for locks for longer than a moment. The clock is read only after a lock was missed.
    package mutating func isPatient(at now: @autoclosure () -> ContinuousClock.Instant = .now) -> Bool {
        guard let waitsFrom else { return true }
        if now() < waitsFrom { return false }
        self.waitsFrom = nil
        return true
    }

    /// Notes the error of a batch, which may have missed a lock.
    ///
    /// - Parameters:
    ///   - start: The time at which the batch was begun, if it had a deadline.
    ///   - lockDeadline: The time until which the batch was to wait for locks; `nil` for as long as its store does.
    ///   - duration: The time for which the store repeats writes.
    package mutating func note(
        _ error: any Error, since start: ContinuousClock.Instant?,
        lockDeadline: ContinuousClock.Instant?, repeatedFor duration: Duration, at now: ContinuousClock.Instant = .now
    ) {
        guard (error as? StoreError)?.isLockTimeout == true else { return }
        if isPatient(at: now) {
            if let lockDeadline, lockDeadline <= now {
                if waits.start + duration < now { waits = (.zero, now) }
                waits.sum += start?.duration(to: now) ?? .zero
                if waits.sum < duration / 6 { return }
            }
            waits.sum = .zero
            end = now + duration
        }
        waitsFrom = min(now + duration / 3, end)
    }
}
