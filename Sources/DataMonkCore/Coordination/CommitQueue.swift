/// **Shared.** Where commits meet: the first thread that comes writes for those that come meanwhile.
///
/// ``CommitQueueState`` decides; this type blocks, wakes and calls. There is no writer thread: a thread blocks only
/// while another one is at work. Each blocked thread has a wake-up of its own, which is used once.
///
/// Not recursive: a `write` that commits to the same queue waits for itself.
package final class CommitQueue<Change: Sendable, Receipt: Sendable>: Sendable {
    /// How one commit ended.
    package typealias Outcome = Result<Receipt, any Error>

    /// What became of one store transaction.
    package enum Written: Sendable {
        /// It was committed, or rolled back as a whole: one outcome a change, in their order.
        case finished([Outcome])
        /// The store had given it up before it was committed, so nothing of it stands. Its changes are written once
        /// more, one a transaction; if that falls, too, the error is the change's outcome.
        case fell(any Error)
    }

    private enum Call: Sendable {
        case lead
        case end(Outcome)
        case cancelled
    }

    private struct Member: Sendable {
        /// Nil of a lone member, which does its own work.
        let change: Change?
        /// Of a member that has to wait.
        let wakeup: Wakeup<Call>?
    }

    private struct State: Sendable {
        var machine: CommitQueueState
        /// Those that wait or are in the batch.
        var members: [CommitQueueState.MemberID: Member] = [:]

        func member(_ id: CommitQueueState.MemberID) -> Member {
            guard let member = members[id] else { preconditionFailure("A member of the queue was forgotten") }
            return member
        }
    }

    private let state: Locked<State>

    /// - Parameter batchLimit: how many changes one transaction carries at most.
    package init(batchLimit: Int = 64) {
        state = Locked(State(machine: CommitQueueState(batchLimit: batchLimit)))
    }

    /// Writes the change, or has it written by the thread that leads; returns when it is durable. Blocks.
    ///
    /// - Parameters:
    ///   - ticket: by which the commit is cancelled while it waits.
    ///   - deadline: until when it waits to be taken. What is taken is waited for.
    ///   - write: called if this thread leads: writes the changes, its own the first, in one store transaction. Called
    ///     again for each of them if the transaction fell.
    /// - Throws: ``CommitNotTaken``, or the error of the change's outcome.
    package func commit(
        _ change: Change, ticket: CommitTicket? = nil, deadline: ContinuousClock.Instant? = nil,
        write: ([Change]) -> Written
    ) throws -> Receipt {
        if ticket?.isCancelled == true { throw CommitNotTaken.cancelled }
        let (id, wakeup) = state.withLock { state in
            let (id, role) = state.machine.enqueue()
            let wakeup = role == .wait ? Wakeup<Call>() : nil
            state.members[id] = Member(change: change, wakeup: wakeup)
            return (id, wakeup)
        }
        guard let wakeup else { return try lead(id, write).get() }

        ticket?.enqueued { self.cancel(id) }
        switch try wait(for: wakeup, of: id, until: deadline) {
        case .lead: return try lead(id, write).get()
        case .end(let outcome): return try outcome.get()
        case .cancelled: throw CommitNotTaken.cancelled
        }
    }

    /// Does work that no other commit may share a transaction with, on the calling thread, in its turn. Blocks.
    ///
    /// - Parameter work: writes its own transaction; it must not commit to this queue.
    package func commitAlone<Outcome>(_ work: () throws -> Outcome) throws -> Outcome {
        let (id, wakeup) = state.withLock { state in
            let (id, role) = state.machine.enqueue(isLone: true)
            let wakeup = role == .wait ? Wakeup<Call>() : nil
            state.members[id] = Member(change: nil, wakeup: wakeup)
            return (id, wakeup)
        }
        // Nobody takes a lone member along and nobody cancels it: it can only be told to lead.
        _ = wakeup?.wait()
        state.withLock { state in _ = state.machine.take(by: id) }
        defer { finish(id) }
        return try work()
    }

    /// How many commits wait for a leader at this moment.
    package var waitingCount: Int {
        state.withLock { state in state.machine.waitingCount }
    }

    private func wait(
        for wakeup: Wakeup<Call>, of id: CommitQueueState.MemberID, until deadline: ContinuousClock.Instant?
    ) throws -> Call {
        guard let deadline else { return wakeup.wait() }
        if let call = wakeup.wait(until: deadline) { return call }
        if leaveQueue(id) != nil { throw CommitNotTaken.deadlinePassed }
        // Taken, told to lead or cancelled meanwhile: the call is on its way.
        return wakeup.wait()
    }

    private func cancel(_ id: CommitQueueState.MemberID) {
        leaveQueue(id)?.wakeup?.wake(with: .cancelled)
    }

    /// Takes a waiting member out of the queue; nil if it is too late for that.
    private func leaveQueue(_ id: CommitQueueState.MemberID) -> Member? {
        state.withLock { state in
            guard state.machine.cancel(id) == .left else { return nil }
            return state.members.removeValue(forKey: id)
        }
    }

    private func lead(_ id: CommitQueueState.MemberID, _ write: ([Change]) -> Written) -> Outcome {
        let batch = state.withLock { state in
            state.machine.take(by: id).map { state.member($0) }
        }
        let outcomes: [Outcome]
        switch write(batch.compactMap(\.change)) {
        case .finished(let results): outcomes = results
        case .fell: outcomes = redo(write)
        }
        precondition(outcomes.count == batch.count, "Each change has one outcome")

        finish(id)
        for (member, outcome) in zip(batch, outcomes).dropFirst() { member.wakeup?.wake(with: .end(outcome)) }
        return outcomes[0]
    }

    /// Ends a batch. The next leader is woken before the followers: the disk is waiting for it.
    private func finish(_ leader: CommitQueueState.MemberID) {
        let nextLeader: Member? = state.withLock { state in
            let wakeups = state.machine.finish()
            state.members[leader] = nil
            for follower in wakeups.followers { state.members[follower] = nil }
            return wakeups.nextLeader.map { state.member($0) }
        }
        nextLeader?.wakeup?.wake(with: .lead)
    }

    /// Writes each member of a fallen batch alone.
    private func redo(_ write: ([Change]) -> Written) -> [Outcome] {
        state.withLock { state in state.machine.fall() }
        var outcomes: [Outcome] = []
        while let member = state.withLock({ state in state.machine.beginAlone().map { state.member($0) } }) {
            switch write([member.change].compactMap(\.self)) {
            case .finished(let results):
                precondition(results.count == 1, "Each change has one outcome")
                outcomes.append(results[0])
            case .fell(let error): outcomes.append(.failure(error))
            }
        }
        return outcomes
    }
}
