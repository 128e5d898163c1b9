/// **Confined.** What ends the reads of one call early: the cancellation of the calling task, and a deadline.
///
/// SQLite asks every thousand steps of its machine, some ten microseconds, on the thread that reads; so a read ends soon
/// after its limit but not at once. For readers only: a writer that is stopped in the middle of a group would undo the
/// commits of others.
final class ReadLimit {
    private var isSet = false
    private var deadline: ContinuousClock.Instant?

    /// Whether the read that runs has to end.
    var isReached: Bool {
        if !isSet { return false }
        if Task.isCancelled { return true }
        guard let deadline else { return false }
        return deadline <= .now
    }

    /// Runs reads under the limit.
    @inline(__always)
    func limiting<Result>(until deadline: ContinuousClock.Instant?, _ body: () throws -> Result) rethrows -> Result {
        isSet = true
        self.deadline = deadline
        defer { isSet = false }
        return try body()
    }
}
