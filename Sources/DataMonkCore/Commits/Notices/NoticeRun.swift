import DequeModule

/// **Value.** The notices of the last commits, shared by all contexts. A notice contains the changes of its commit.
///
///     start ------------------------------------------ end
///       ^   one notice for each generation in between   ^
///       |                                               the last one appended
///       older notices have been released or dropped
///
/// A context that stands at `start` or later merges the notices after its generation. A context that stands before it
/// refreshes everything. Thus a commit costs the same however many contexts there are, and a context that never advances
/// uses no memory of its own.
///
/// The leader of the commit queue appends, after COMMIT and before the ledger publishes. The thread that raises the
/// oldest standing releases. Both, and contexts that read, hold the lock of the run's owner.
///
/// ## Invariants
/// 1. There are at most `capacity` notices.
/// 2. Their total weight is `weight`, which is at most `weightLimit`.
///
/// ## Illegal, and why
/// - append of a generation other than the next one: contexts would miss a commit, or merge one twice.
package struct NoticeRun<Notice: Sendable>: Sendable {
    private(set) var notices: Deque<(notice: Notice, weight: Int)> = []
    /// The generation before the first notice.
    package private(set) var start: Generation
    private(set) var weight = 0
    let capacity: Int
    let weightLimit: Int

    /// - Parameters:
    ///   - generation: The generation after which the run begins.
    ///   - capacity: The maximum number of notices.
    ///   - weightLimit: The maximum total weight, in the unit of the weights passed to `append`.
    package init(after generation: Generation = .opened, capacity: Int = 1_024, weightLimit: Int = .max) {
        precondition(capacity > 0, "A run needs room for at least one notice")
        start = generation
        self.capacity = capacity
        self.weightLimit = weightLimit
    }

    /// The generation of the last appended notice.
    package var end: Generation { Generation(rawValue: start.rawValue + UInt64(notices.count)) }

    /// Adds the notice of the next commit, and drops the oldest ones if there are too many or their weight is too high.
    package mutating func append(_ notice: Notice, at generation: Generation, weight: Int = 1) {
        precondition(generation == end.next, "Notices are appended once, in the order of their commits")
        notices.append((notice, weight))
        self.weight += weight
        while notices.count > capacity || self.weight > weightLimit { removeFirst() }
    }

    /// Returns the notices after one generation through another, oldest first; `nil` if some of them have been released.
    package func notices(after place: Generation, through generation: Generation) -> [Notice]? {
        if place < start { return nil }
        let last = min(generation, end)
        guard place < last else { return [] }
        let first = Int(place.rawValue - start.rawValue)
        return notices[first..<Int(last.rawValue - start.rawValue)].map(\.notice)
    }

    /// Releases the notices that every context has merged.
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
        try require(
            notices.count <= capacity, in: name, invariant: 1,
            otherwise: "\(notices.count) notices in a run with room for \(capacity)")
        let sum = notices.reduce(0) { $0 + $1.weight }
        try require(
            sum == weight, in: name, invariant: 2,
            otherwise: "the notices have \(sum) bytes, but \(weight) are recorded")
        try require(
            sum <= weightLimit, in: name, invariant: 2,
            otherwise: "the notices have \(sum) bytes, and the limit is \(weightLimit)")
    }
}
