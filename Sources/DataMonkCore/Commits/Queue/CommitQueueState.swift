import DequeModule

/// **Value.** The state of the commit queue: the leader, its followers, and the next leader.
///
/// A committing thread enqueues its member. If there is no leader, it leads; otherwise it blocks until it is woken, which
/// happens once: with its outcome, or to lead. The leader takes itself and the members that wait behind it, writes them
/// in one store transaction, and wakes them and the next leader when it is done. Those of a transaction that fell are woken one
/// by one, as soon as they have run alone.
///
///     idle --enqueue--> chosen --take--> writing --finish--> idle, or chosen (the first that waits)
///                                           |
///                                           +--fall--> redoing --beginAlone, once a member--> redoing --finish-->
///
/// All transitions are made under one lock: `enqueue` and `cancel` by any thread, the others by the leader. A member is
///
///     waiting --chosen to lead, or taken--> in the batch --finish--> ended
///        +----cancel--> ended
///
/// A chosen leader counts as taken: it is about to run, and only `finish` passes on the leadership, so that no other path
/// can lose it.
///
/// A lone member does not share its transaction: its work is more than a change (the handler of a batch request, say),
/// and is done by its own thread. It waits for its turn to lead, and takes no other member along.
///
/// `fall` is for a transaction that no longer stands (SQLite may roll back by itself, for instance when the disk is
/// full): everything that its members had written is gone, and it is unknown which one was the cause. Each of them runs
/// once more, alone.
///
/// ## Invariants
/// 1. `waiting` is ascending: first in, first taken.
/// 2. If a member waits, there is a leader.
/// 3. A batch begins with its leader, is ascending, and has at most `batchLimit` members, all older than the waiting
///    ones.
/// 4. Each member ends exactly once: issued = ended + waiting + chosen + in the batch.
/// 5. While redoing, `alone` counts the members that have run alone, in the batch's order.
/// 6. A lone member is the only member of its batch; `loneMembers` contains those that wait or are running.
///
/// ## Illegal, and why
/// - take by a thread other than the chosen leader, or twice: two leaders would write at once.
/// - fall while redoing: a member alone in its transaction fails by itself, and a retry would never end.
/// - finish before each member of a fallen batch has run alone: its commit would end without an outcome.
package struct CommitQueueState: Sendable {
    /// **Value.** A commit in the queue. Numbers increase in the order of enqueueing.
    package struct MemberID: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        package static func < (left: MemberID, right: MemberID) -> Bool { left.rawValue < right.rawValue }
    }

    /// **Value.** The next action of the thread that enqueued.
    package enum Role: Sendable {
        /// Call `take`, write, call `finish`.
        case lead
        /// Block until woken.
        case wait
    }

    /// **Value.** The result of a cancellation.
    package enum Cancellation: Sendable {
        /// The member has left the queue: wake it; nothing of it has been written.
        case left
        /// The member has been taken or has ended: its outcome is on its way.
        case tooLate
    }

    /// **Value.** The members that the leader wakes after its batch.
    package struct Wakeups: Sendable {
        /// The members of the batch without the leader, each to be woken with its own outcome.
        package let followers: [MemberID]
        /// The member to be told to lead.
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
    private(set) var loneMembers: Set<MemberID> = []
    private(set) var issued: UInt64 = 0
    private(set) var ended: UInt64 = 0
    let batchLimit: Int

    /// - Parameter batchLimit: The maximum number of members in one transaction.
    package init(batchLimit: Int = 64) {
        precondition(batchLimit > 0, "A batch contains at least its leader")
        self.batchLimit = batchLimit
    }

    /// The leader, chosen or working.
    package var leader: MemberID? {
        switch phase {
        case .idle: nil
        case .chosen(let leader): leader
        case .writing(let batch), .redoing(let batch, _): batch.first
        }
    }

    /// The number of waiting members.
    package var waitingCount: Int { waiting.count }

    /// Adds a member for a thread that wants to commit.
    ///
    /// - Parameter isLone: `true` if no other commit may share the transaction.
    package mutating func enqueue(isLone: Bool = false) -> (member: MemberID, role: Role) {
        issued += 1
        let member = MemberID(rawValue: issued)
        if isLone { loneMembers.insert(member) }
        if case .idle = phase {
            phase = .chosen(member)
            return (member, .lead)
        }
        waiting.append(member)
        return (member, .wait)
    }

    /// Starts the batch of the chosen leader, which takes the waiting members.
    package mutating func take(by leader: MemberID) -> [MemberID] {
        guard case .chosen(leader) = phase else {
            preconditionFailure("Only the chosen leader takes the batch, and only once")
        }
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
        if loneMembers.isEmpty { return limit }
        if loneMembers.contains(leader) { return 0 }
        return waiting.prefix(limit).firstIndex(where: loneMembers.contains) ?? limit
    }

    /// Records that the transaction no longer stands: each member must run alone.
    package mutating func fall() {
        guard case .writing(let batch) = phase else {
            preconditionFailure("Only a batch's transaction can fail as a batch, and only once")
        }
        phase = .redoing(batch, alone: 0)
    }

    /// Returns the next member of a fallen batch to run alone; `nil` when all have.
    package mutating func beginAlone() -> MemberID? {
        guard case .redoing(let batch, let alone) = phase else {
            preconditionFailure("Commits run alone only after their batch failed")
        }
        if alone == batch.count { return nil }
        phase = .redoing(batch, alone: alone + 1)
        return batch[alone]
    }

    /// Ends the batch of the leader, after every member has received its outcome.
    package mutating func finish() -> Wakeups {
        let batch: [MemberID]
        switch phase {
        case .writing(let members): batch = members
        case .redoing(let members, let alone):
            precondition(alone == members.count, "A commit of the failed batch has not run alone")
            batch = members
        case .idle, .chosen: preconditionFailure("Nothing is being written")
        }
        ended += UInt64(batch.count)
        if !loneMembers.isEmpty, let leader = batch.first { loneMembers.remove(leader) }
        let next = waiting.popFirst()
        phase = next.map(Phase.chosen) ?? .idle
        return Wakeups(followers: Array(batch.dropFirst()), nextLeader: next)
    }

    /// Cancels a member because its deadline has passed.
    package mutating func cancel(_ member: MemberID) -> Cancellation {
        guard let index = waiting.firstIndex(of: member) else { return .tooLate }
        waiting.remove(at: index)
        loneMembers.remove(member)
        ended += 1
        return .left
    }
}
