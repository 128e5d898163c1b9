/// **Confined.** Ends the reads of one call early, when the calling task is cancelled or a deadline passes.
///
/// SQLite checks the limit on the reading thread every thousand virtual machine instructions, about every ten microseconds.
/// A read therefore ends soon after the limit is reached, but not at once. For readers only: interrupting a writer in the
/// middle of a group commit would undo other saves' commits.
final class ReadLimit {
    private var isSet = false
    private var deadline: ContinuousClock.Instant?

    /// A Boolean value indicating whether the current read must end.
    var isReached: Bool {
        if !isSet { return false }
        if Task.isCancelled { return true }
        guard let deadline else { return false }
        return deadline <= .now
    }

    /// Runs reads under the limit. Inside of another call, under the earlier of both deadlines.
    @inline(__always)
    func limiting<Result>(until deadline: ContinuousClock.Instant?, _ body: () throws -> Result) rethrows -> Result {
        let outer = (isSet: isSet, deadline: self.deadline)
        isSet = true
        self.deadline = earliest(deadline, outer.isSet ? outer.deadline : nil)
        defer { (isSet, self.deadline) = outer }
        return try body()
    }

    private func earliest(
        _ first: ContinuousClock.Instant?, _ second: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
