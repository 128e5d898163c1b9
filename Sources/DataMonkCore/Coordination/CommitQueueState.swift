import DequeModule

/// **Value.** Who commits now, with whom, and who is next: leader and followers.
///
/// A committing thread enqueues its member. If nobody leads, it leads; otherwise it blocks until it is woken, which
/// happens once: with its outcome, or to lead. The leader takes itself and those that wait behind it, writes them in
/// one store transaction, and wakes them and the next leader when it is done.
///
///     idle --enqueue--> chosen --take--> writing --finish--> idle, or chosen (the first that waits)
///                                           |
///                                           +--fall--> redoing --beginAlone, once a member--> redoing --finish-->
///
/// All moves are made under one lock: `enqueue` and `cancel` by anybody, the others by the leader. A member is
///
///     waiting --chosen to lead, or taken--> in the batch --finish--> ended
///        +----cancel--> ended
///
/// A chosen leader counts as taken: it is about to run, and leadership is handed on by `finish` alone, so that no
/// other path can lose it.
///
/// A lone member is nobody's company: its work is more than a change (a batch request's handler, say), and is done by
/// its own thread. It waits for its turn to lead, and takes nobody along.
///
/// `fall` is for the transaction that no longer stands (SQLite rolls back by itself on a full disk, say): what its
/// members had written is gone, and nobody knows whose fault it was. Each of them runs once more, alone.
///
/// ## Invariants
/// 1. `waiting` ascends: first in, first taken.
/// 2. If somebody waits, somebody leads.
/// 3. A batch begins with its leader, ascends, has at most `batchLimit` members, all older than those that wait.
/// 4. Each member ends exactly once: issued = ended + waiting + chosen + in the batch.
/// 5. While redoing, `alone` counts the members that have run alone, in the batch's order.
/// 6. A lone member is in a batch as its only member; `loners` holds those that wait or are at work.
///
/// ## Illegal, and why
/// - take by another than the chosen leader, or twice: two leaders would write at once.
/// - fall while redoing: a member alone in its transaction fails by itself, and once more would be for ever.
/// - finish before each member of a fallen batch ran alone: its commit would end without an outcome.
package struct CommitQueueState: Sendable {
    /// **Value.** A commit in the queue. Numbers ascend in the order of enqueueing.
    package struct MemberID: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        package static func < (left: MemberID, right: MemberID) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the thread that enqueued has to do.
    package enum Role: Sendable {
        /// Call `take`, write, call `finish`.
        case lead
        /// Block until woken.
        case wait
    }

    /// Whether a cancellation came in time.
    package enum Cancellation: Sendable {
        /// The member has left: wake it, nothing of it was written.
        case left
        /// It is taken, or has ended: its outcome is on its way.
        case tooLate
    }

    /// Whom the leader wakes after its batch.
    package struct Wakeups: Sendable {
        /// The batch without the leader: each with its own outcome.
        package let followers: [MemberID]
        /// Told to lead.
        package let nextLeader: MemberID?
    }

    enum Phase: Sendable {
        case idle
        case chosen(MemberID)
        case writing([MemberID])
        case redoing([MemberID], alone: Int)
    }

    private(set) var phase = Phase.idle
    private(set) var waiting: Deque<MemberID> = []
    private(set) var loners: Set<MemberID> = []
    private(set) var issued: UInt64 = 0
    private(set) var ended: UInt64 = 0
    let batchLimit: Int

    /// - Parameter batchLimit: how many members one transaction carries at most.
    package init(batchLimit: Int = 64) {
        precondition(batchLimit > 0, "A batch carries its leader at least")
        self.batchLimit = batchLimit
    }

    /// Who leads, chosen or at work.
    package var leader: MemberID? {
        switch phase {
        case .idle: nil
        case .chosen(let leader): leader
        case .writing(let batch), .redoing(let batch, _): batch.first
        }
    }

    /// How many members wait.
    package var waitingCount: Int { waiting.count }

    /// A thread wants to commit.
    ///
    /// - Parameter isLone: whether nobody else's commit shares the transaction.
    package mutating func enqueue(isLone: Bool = false) -> (member: MemberID, role: Role) {
        issued += 1
        let member = MemberID(rawValue: issued)
        if isLone { loners.insert(member) }
        if case .idle = phase {
            phase = .chosen(member)
            return (member, .lead)
        }
        waiting.append(member)
        return (member, .wait)
    }

    /// The chosen leader begins: it takes what waits.
    package mutating func take(by leader: MemberID) -> [MemberID] {
        guard case .chosen(leader) = phase else { preconditionFailure("Only the chosen leader takes, once") }
        let followers = followerCount(of: leader)
        var batch = [leader]
        if followers > 0 {
            batch += waiting.prefix(followers)
            waiting.removeFirst(followers)
        }
        phase = .writing(batch)
        return batch
    }

    private func followerCount(of leader: MemberID) -> Int {
        let limit = min(waiting.count, batchLimit - 1)
        if loners.isEmpty { return limit }
        if loners.contains(leader) { return 0 }
        return waiting.prefix(limit).firstIndex(where: loners.contains) ?? limit
    }

    /// The transaction no longer stands: each member has to run alone.
    package mutating func fall() {
        guard case .writing(let batch) = phase else { preconditionFailure("Only a batch's transaction falls, once") }
        phase = .redoing(batch, alone: 0)
    }

    /// The next member of a fallen batch to run alone; nil when all have.
    package mutating func beginAlone() -> MemberID? {
        guard case .redoing(let batch, let alone) = phase else {
            preconditionFailure("Members run alone after their batch fell")
        }
        if alone == batch.count { return nil }
        phase = .redoing(batch, alone: alone + 1)
        return batch[alone]
    }

    /// The leader is done, and every member of the batch has its outcome.
    package mutating func finish() -> Wakeups {
        let batch: [MemberID]
        switch phase {
        case .writing(let members): batch = members
        case .redoing(let members, let alone):
            precondition(alone == members.count, "A member of the fallen batch has not run alone")
            batch = members
        case .idle, .chosen: preconditionFailure("Nothing is being written")
        }
        ended += UInt64(batch.count)
        if !loners.isEmpty, let leader = batch.first { loners.remove(leader) }
        let next = waiting.popFirst()
        phase = next.map(Phase.chosen) ?? .idle
        return Wakeups(followers: Array(batch.dropFirst()), nextLeader: next)
    }

    /// The member's deadline passed, or its task was cancelled.
    package mutating func cancel(_ member: MemberID) -> Cancellation {
        guard let index = waiting.firstIndex(of: member) else { return .tooLate }
        waiting.remove(at: index)
        loners.remove(member)
        ended += 1
        return .left
    }
}
