/// **Value.** One commit, from its first write until everybody may see it: of saves, of a batch request, of metadata, or
/// of another process. Determines the next step, which the leader of the commit queue performs.
///
///     members:  pending --beginMember--> open --keep--> kept       RELEASE
///                                          +----undo--> undone     ROLLBACK TO, then RELEASE
///     commit:   writing --announce--> announced --didCommit--> visible --note--> noted --addRows--> ready
///                  |                      |      COMMIT, for each store                              | publish
///                  +--------fail----------+--> failed --rollBack--> gone    addRows, in parts <-- published
///
/// After *any* error, the leader first asks the store whether the transaction still stands. If not, a ROLLBACK TO or
/// RELEASE would affect a later transaction.
///
/// No transaction spans two stores. If one cannot be committed after another one was, the commit is in the stores in
/// part, and is published. So is one whose store has not answered, which may be there: its changes are unknown, like those
/// of another process. A commit of another process has no members, and begins when it is found.
///
/// ## Invariants
/// 1. Members are written in order, one at a time. A savepoint is open exactly while a member is open.
/// 2. A commit that was announced has no pending or open member, and at least one kept member unless it is another's.
/// 3. It has a number from then on, until it is gone.
/// 4. When it is published, its notice and the cache have it: all of its rows, or the knowledge that some are missing.
///
/// ## Illegal, and why
/// - beginMember with an open savepoint: a failure of the second member would undo the first.
/// - keep or undo without an open savepoint: a savepoint is released once; a second RELEASE would end the transaction
///   itself.
/// - announce with a pending or open member, or with no kept member: a commit would be lost or incomplete; an empty
///   transaction creates no generation.
/// - rollBack after a store was committed, or may have been: readers may have seen its number.
/// - any other step than `next`.
package struct StoreCommit: Sendable {
    /// **Value.** The next step of the leader.
    package enum Step: Hashable, Sendable {
        /// Write the member at this position, in a savepoint.
        case write(Int)
        case announce
        /// Commit the transaction at this position.
        case commit(Int)
        case rollBack
        case note
        /// Add the rows at these positions to the cache.
        case addRows(Range<Int>)
        case publish
    }

    /// **Value.** The end of a commit.
    package enum Outcome: Sendable {
        /// It is in the stores, at least in the first ones.
        case committed(Generation)
        /// Nothing of it is in the stores.
        case failed(any Error)
        /// A store has not answered, and may contain it.
        case unknown
    }

    /// **Value.** The part of a transaction that an error has left.
    package enum Remainder: Sendable {
        /// The transaction, which still stands.
        case transaction
        /// Nothing. The store has rolled back by itself, and each member runs once more, alone.
        case nothing
        /// The whole or nothing: there was no answer to COMMIT.
        case unknown
    }

    private enum Phase { case writing, announced, failed, visible, noted, ready, published, gone }

    private var phase = Phase.writing
    private let memberCount: Int
    private var position = 0
    private var keptCount = 0
    private var isMemberOpen = false
    /// The number of the commit.
    package private(set) var generation: Generation?
    private var storeCount = 0
    /// The number of stores that are committed.
    package private(set) var committedCount = 0
    /// The error because of which the other stores are not.
    package private(set) var failure: (any Error)?
    private var remainder: Remainder?
    /// Indicates whether others have committed before it, whose changes are unknown and published with it.
    private var isBehindOthers = false
    /// Indicates whether contexts are given the changes, rather than told that anything may have changed.
    private var isListed = true
    private var rowCount = 0
    private var addedCount = 0
    private let partSize: Int

    /// - Parameters:
    ///   - memberCount: The number of members; 0 for a commit of another process.
    ///   - partSize: The number of rows that are added to the cache at a time; if there are more, after the publication.
    package init(memberCount: Int, partSize: Int = 4_096) {
        self.memberCount = memberCount
        self.partSize = partSize
    }

    /// The next step; `nil` once the commit has ended.
    package var next: Step? {
        switch phase {
        case .writing:
            if position < memberCount { return .write(position) }
            return memberCount == 0 || keptCount > 0 ? .announce : .rollBack
        case .announced: return .commit(committedCount)
        case .failed: return .rollBack
        case .visible: return .note
        case .noted: return .addRows(0..<(addsRowsLate ? 0 : rowCount))
        case .ready: return .publish
        case .published where addedCount < rowCount:
            return .addRows(addedCount..<min(addedCount + partSize, rowCount))
        case .published, .gone: return nil
        }
    }

    /// The end of the commit; `nil` before it, and if no member was kept.
    package var outcome: Outcome? {
        switch phase {
        case .published: remainder == .unknown ? .unknown : generation.map(Outcome.committed)
        case .gone: failure.map(Outcome.failed)
        default: nil
        }
    }

    /// Indicates whether the members run once more, alone.
    package var hasFallen: Bool { remainder == .nothing && committedCount == 0 }

    /// Indicates whether a store has not answered, and may contain the commit.
    package var isUnanswered: Bool { remainder == .unknown }

    /// Indicates whether nobody here knows all that the commit, or another one published with it, has changed.
    package var isOfUnknownChanges: Bool { memberCount == 0 || remainder == .unknown || isBehindOthers }

    /// Indicates whether rows are added to the cache after the publication.
    package var addsRowsLate: Bool { rowCount > partSize }

    // MARK: Writing

    /// Records that the savepoint of the next member is open.
    package mutating func beginMember() {
        precondition(phase == .writing && position < memberCount, "All members have been written")
        precondition(!isMemberOpen, "A savepoint is already open")
        isMemberOpen = true
    }

    /// Records that the open member's savepoint was released: it is now part of the transaction.
    package mutating func keep() {
        close()
        keptCount += 1
    }

    /// Records that the open member's savepoint was rolled back: the transaction continues without it.
    package mutating func undo() { close() }

    private mutating func close() {
        precondition(phase == .writing && isMemberOpen, "No savepoint is open")
        isMemberOpen = false
        position += 1
    }

    // MARK: Committing

    /// Numbers the commit, which is about to become visible.
    ///
    /// - Parameters:
    ///   - probe: The fact by which a reader recognizes the commit.
    ///   - stores: The number of transactions to commit.
    package mutating func announce<Probe>(_ probe: Probe?, stores: Int = 0, in ledger: inout GenerationLedger<Probe>) {
        precondition(next == .announce, "A commit is announced after its members, of which one at least was kept")
        generation = ledger.announce(probe)
        storeCount = stores
        phase = stores == 0 ? .visible : .announced
    }

    /// Records that the next store's COMMIT has returned.
    ///
    /// - Parameter others: Whether others have committed before it. Who sees the commit sees theirs.
    package mutating func didCommit(behindOthers others: Bool = false) {
        precondition(phase == .announced, "COMMIT comes after the commit was announced")
        isBehindOthers = isBehindOthers || others
        committedCount += 1
        if committedCount == storeCount { phase = .visible }
    }

    /// Records an error with which the transaction ends.
    package mutating func fail(_ error: any Error, leaving remainder: Remainder) {
        precondition(phase == .announced || phase == .writing && remainder != .unknown, "The transaction has ended")
        failure = error
        self.remainder = remainder
        phase = committedCount == 0 && remainder != .unknown ? .failed : .visible
    }

    /// Gives up the commit, and its number if it has one. The leader has rolled back.
    package mutating func rollBack<Probe>(in ledger: inout GenerationLedger<Probe>) {
        precondition(next == .rollBack, "A commit is rolled back if nothing of it is in the stores")
        if let generation { ledger.abandon(generation) }
        generation = nil
        phase = .gone
    }

    // MARK: Publishing

    /// Records that the commit's notice was added to the run.
    ///
    /// - Parameter isListed: `false` if the notice says that anything may have changed.
    package mutating func note(rowCount: Int, isListed: Bool = true) {
        precondition(phase == .visible, "The notice of a commit is added once it is in the stores")
        self.rowCount = rowCount
        self.isListed = isListed && !isOfUnknownChanges
        phase = .noted
    }

    /// Adds the next part of the commit's rows to the cache, or empties it if it cannot know what has changed.
    package mutating func addRows<Row>(
        to cache: inout RowCache<Row>, now: Int64 = .min, _ tellChanges: ((RowChange<Row>) -> Void) -> Void
    ) {
        guard let generation, case .addRows(let part) = next else {
            preconditionFailure("Rows are added after the notice, once")
        }
        if phase == .noted {
            cache.beginPublishing(at: generation)
            phase = .ready
        }
        cache.publishPart(now: now, tellChanges)
        addedCount = part.upperBound
        if addedCount == rowCount { cache.endPublishing() }
        if !isListed { cache.removeAll() }
    }

    /// Publishes the commit's number. Without an answer, there is nothing by which the commit could be recognized.
    package mutating func publish<Probe>(in ledger: inout GenerationLedger<Probe>) {
        guard let generation, next == .publish else {
            preconditionFailure("A commit is published once its notice and the row cache have it")
        }
        ledger.publish(generation, keepsProbe: remainder != .unknown)
        phase = .published
    }

    /// Checks the invariants that can be seen between two steps.
    package func checkInvariants() throws(InvariantViolation) {
        if phase == .writing || phase == .failed || phase == .gone { return }
        let isWhole = position == memberCount && !isMemberOpen && (memberCount == 0 || keptCount > 0)
        try require(
            isWhole, in: "StoreCommit", invariant: 2,
            otherwise: "\(position) of \(memberCount) members written, \(keptCount) kept")
        try require(generation != nil, in: "StoreCommit", invariant: 3, otherwise: "\(phase) without a number")
    }
}
