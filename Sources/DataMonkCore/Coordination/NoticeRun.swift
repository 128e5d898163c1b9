import DequeModule

/// **Value.** The notices of the last commits, for all contexts together; a notice tells what its commit has changed.
///
///     start ------------------------------------------ end
///       ^   one notice for each generation in between   ^
///       |                                               the last one appended
///       what is older has been released, or given up
///
/// A context that stands at `start` or later takes in the notices after its generation. One that stands before it
/// refreshes everything. So a commit costs the same however many contexts there are, and one that never advances costs
/// no memory of its own.
///
/// The leader of the commit queue appends, after COMMIT and before the ledger publishes. Whoever saw the oldest standing
/// rise releases. Both, and contexts that read, under the lock of whoever owns the run.
///
/// ## Invariants
/// 1. There are at most `capacity` notices.
/// 2. Together they weigh `weight`, at most `weightLimit`.
///
/// ## Illegal, and why
/// - append of another generation than the next: contexts would miss a commit, or take one in twice.
package struct NoticeRun<Notice: Sendable>: Sendable {
    private(set) var notices: Deque<(notice: Notice, weight: Int)> = []
    /// The generation before the first notice.
    package private(set) var start: Generation
    private(set) var weight = 0
    let capacity: Int
    let weightLimit: Int

    /// - Parameters:
    ///   - generation: the run begins after it.
    ///   - capacity: how many notices it keeps at most.
    ///   - weightLimit: how much they weigh at most, in whatever unit `append` is told.
    package init(after generation: Generation = .opened, capacity: Int = 1_024, weightLimit: Int = .max) {
        precondition(capacity > 0, "A run needs room for a notice")
        start = generation
        self.capacity = capacity
        self.weightLimit = weightLimit
    }

    /// The generation of the last notice that was appended.
    package var end: Generation { Generation(rawValue: start.rawValue + UInt64(notices.count)) }

    /// Adds the notice of the next commit, and gives up the oldest ones if there are too many or they weigh too much.
    package mutating func append(_ notice: Notice, at generation: Generation, weight: Int = 1) {
        precondition(generation == end.next, "Notices are appended in the order of their commits, each once")
        notices.append((notice, weight))
        self.weight += weight
        while notices.count > capacity || self.weight > weightLimit { removeFirst() }
    }

    /// The notices after one generation through another, oldest first; nil if some of them are no longer there.
    package func notices(after place: Generation, through generation: Generation) -> [Notice]? {
        if place < start { return nil }
        let last = min(generation, end)
        guard place < last else { return [] }
        let first = Int(place.rawValue - start.rawValue)
        return notices[first..<Int(last.rawValue - start.rawValue)].map(\.notice)
    }

    /// Lets go of the notices that every context has taken in.
    package mutating func release(through generation: Generation) {
        while start < generation, !notices.isEmpty { removeFirst() }
    }

    private mutating func removeFirst() {
        weight -= notices.removeFirst().weight
        start = start.next
    }

    /// Checks the numbered invariants.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "NoticeRun"
        try require(notices.count <= capacity, name, 1, "\(notices.count) notices in a run of \(capacity)")
        let sum = notices.reduce(0) { $0 + $1.weight }
        try require(sum == weight, name, 2, "the notices weigh \(sum), said to be \(weight)")
        try require(sum <= weightLimit, name, 2, "the notices weigh \(sum) of \(weightLimit)")
    }
}
