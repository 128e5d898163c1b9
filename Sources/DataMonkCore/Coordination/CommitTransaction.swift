/// **Value.** One store transaction that carries several commits, each in a savepoint of its own: what the leader does
/// next.
///
///     members:      pending --beginMember--> open --keep--> kept       RELEASE
///                                              +----undo--> undone     ROLLBACK TO, then RELEASE
///     transaction:  standing --commit--> committed                     COMMIT returned
///                       +--------rollBack--> gone                      nobody was kept, or COMMIT failed
///                       +--------fall------> gone                      the store says so after an error
///
/// Only the leader moves it, step by step as `next` says:
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
/// After *any* error the leader first asks the store whether the transaction still stands; if not, `fall` is the only
/// move, and a ROLLBACK TO or RELEASE would hit whatever came after it.
///
/// ## Invariants
/// 1. Members are written in their order: kept or undone ones, at most one open, then pending ones.
/// 2. A savepoint is open exactly while a member is, in a standing transaction.
/// 3. A committed transaction has no pending and no open member, and at least one kept.
///
/// ## Illegal, and why
/// - beginMember with a savepoint open: a failure of the second would undo the first.
/// - keep or undo without one: a savepoint is released once; a second RELEASE would end the transaction itself.
/// - commit with a pending or open member, or with none kept: a commit would be lost or half written; an empty
///   transaction makes no generation.
/// - anything after the end.
package struct CommitTransaction: Sendable {
    /// What the leader does next.
    package enum Step: Hashable, Sendable {
        /// Write the member at this position, in a savepoint.
        case write(Int)
        case commit
        case rollBack
    }

    /// How far a member is.
    package enum MemberState: Hashable, Sendable { case pending, open, kept, undone }

    /// How far the transaction is.
    package enum State: Hashable, Sendable {
        case standing, committed
        /// Nothing of it is in the store.
        case gone
    }

    package private(set) var state = State.standing
    package private(set) var members: [MemberState]
    private(set) var position = 0

    package init(memberCount: Int) {
        precondition(memberCount > 0, "A transaction carries a commit")
        members = Array(repeating: .pending, count: memberCount)
    }

    /// What to do now; nil once the transaction has ended.
    package var next: Step? {
        guard state == .standing else { return nil }
        if position < members.count { return .write(position) }
        return members.contains(.kept) ? .commit : .rollBack
    }

    /// The savepoint of the next member is open.
    package mutating func beginMember() {
        precondition(state == .standing && position < members.count, "No member is left to write")
        precondition(members[position] == .pending, "A savepoint is open already")
        members[position] = .open
    }

    /// The open member's savepoint was released: it is part of the transaction.
    package mutating func keep() { close(as: .kept) }

    /// The open member's savepoint was rolled back: the transaction goes on without it.
    package mutating func undo() { close(as: .undone) }

    /// COMMIT returned.
    package mutating func commit() {
        precondition(next == .commit, "A transaction is committed when every member was written, and one kept")
        state = .committed
    }

    /// The leader rolled back: no member was kept, or COMMIT failed and left the transaction standing.
    package mutating func rollBack() {
        precondition(state == .standing, "The transaction has ended")
        state = .gone
    }

    /// The store has given the transaction up by itself. Each member runs once more alone.
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
