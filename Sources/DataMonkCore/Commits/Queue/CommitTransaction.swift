/// **Value.** One store transaction that contains several commits, each in a savepoint of its own. Determines the
/// leader's next step.
///
///     members:      pending --beginMember--> open --keep--> kept       RELEASE
///                                              +----undo--> undone     ROLLBACK TO, then RELEASE
///     transaction:  standing --commit--> committed                     COMMIT returned
///                       +--------rollBack--> gone                      no member was kept, or COMMIT failed
///                       +--------fall------> gone                      reported by the store after an error
///
/// Only the leader makes the transitions, step by step as `next` determines:
///
///     while let step = transaction.next {
///         switch step {
///         case .write(let member):
///             transaction.beginMember()               // SAVEPOINT, then the member's changes, then one of
///             transaction.keep()                      //   RELEASE
///             transaction.undo()                      //   ROLLBACK TO, RELEASE
///             transaction.fall()                      //   nothing: the store has rolled back by itself
///         case .commit: transaction.commit()          // announce, COMMIT, publish
///         case .rollBack: transaction.rollBack()      // ROLLBACK
///         }
///     }
///
/// After *any* error, the leader first asks the store whether the transaction still stands. If not, `fall` is the only
/// legal transition: a ROLLBACK TO or RELEASE would affect a later transaction.
///
/// ## Invariants
/// 1. Members are written in order: first kept or undone ones, then at most one open member, then pending ones.
/// 2. A savepoint is open exactly while a member is open in a standing transaction.
/// 3. A committed transaction has no pending or open member, and at least one kept member.
///
/// ## Illegal, and why
/// - beginMember with an open savepoint: a failure of the second member would undo the first.
/// - keep or undo without an open savepoint: a savepoint is released once; a second RELEASE would end the transaction
///   itself.
/// - commit with a pending or open member, or with no kept member: a commit would be lost or incomplete; an empty
///   transaction creates no generation.
/// - any transition after the end.
package struct CommitTransaction: Sendable {
    /// **Value.** The next step of the leader.
    package enum Step: Hashable, Sendable {
        /// Write the member at this position, in a savepoint.
        case write(Int)
        case commit
        case rollBack
    }

    /// **Value.** The progress of a member.
    package enum MemberState: Hashable, Sendable { case pending, open, kept, undone }

    /// **Value.** The progress of the transaction.
    package enum State: Hashable, Sendable {
        case standing, committed
        /// Nothing of it is in the store.
        case gone
    }

    package private(set) var state = State.standing
    package private(set) var members: [MemberState]
    private(set) var position = 0

    package init(memberCount: Int) {
        precondition(memberCount > 0, "A transaction contains at least one commit")
        members = Array(repeating: .pending, count: memberCount)
    }

    /// The next step; `nil` once the transaction has ended.
    package var next: Step? {
        guard state == .standing else { return nil }
        if position < members.count { return .write(position) }
        return members.contains(.kept) ? .commit : .rollBack
    }

    /// Records that the savepoint of the next member is open.
    package mutating func beginMember() {
        precondition(state == .standing && position < members.count, "All commits have been written")
        precondition(members[position] == .pending, "A savepoint is already open")
        members[position] = .open
    }

    /// Records that the open member's savepoint was released: it is now part of the transaction.
    package mutating func keep() { close(as: .kept) }

    /// Records that the open member's savepoint was rolled back: the transaction continues without it.
    package mutating func undo() { close(as: .undone) }

    /// Records that COMMIT has returned.
    package mutating func commit() {
        precondition(
            next == .commit, "A transaction commits after all its commits were written and at least one was kept")
        state = .committed
    }

    /// Records that the leader has rolled back: no member was kept, or COMMIT failed and left the transaction standing.
    package mutating func rollBack() {
        precondition(state == .standing, "The transaction has ended")
        state = .gone
    }

    /// Records that the store has given up the transaction by itself. Each member runs once more, alone.
    package mutating func fall() {
        precondition(state == .standing, "The transaction has ended")
        state = .gone
    }

    private mutating func close(as outcome: MemberState) {
        precondition(state == .standing, "The transaction has ended")
        precondition(position < members.count && members[position] == .open, "No savepoint is open")
        members[position] = outcome
        position += 1
    }
}
