import Synchronization

/// **Shared.** The queue of commits: the first thread to arrive writes for those that arrive meanwhile.
///
/// ``CommitQueueState`` makes the decisions; this type blocks, wakes and calls. There is no writer thread: a thread
/// blocks only while another one is working. Each blocked thread has its own wake-up, which is used once.
///
/// Nobody may wait for long because of a row that another process keeps locked. A batch waits for locks once. If it does not
/// get one, each of its changes is written alone, waits for a moment at most, and has its outcome at once. Those of the next
/// batches wait for no more than a moment either, for some time: see `LockPatience`.
///
/// Not recursive: a `write` that commits to the same queue would wait for itself, and is refused. A `write` that commits
/// to another queue waits for a limited time, since two of them may wait for each other.
package final class CommitQueue<Change: Sendable, Receipt: Sendable>: Sendable {
    /// The result of one commit.
    package typealias Outcome = Result<Receipt, any Error>

    /// The result of one store transaction.
    package enum Written: Sendable {
        /// It was committed, or rolled back as a whole: one outcome per change, in their order.
        case finished([Outcome])
        /// The store gave it up before it was committed, so nothing of it stands. Each of its changes is written once
        /// more, in a transaction of its own; if that fails as well, the error is the change's outcome. Where other processes
        /// are in the way, it is written again for a certain time.
        case fell(any Error, repeatedFor: Duration = .zero)
    }

    /// Writes changes. Waits for locks of other processes until a deadline, as long as the store does if that is `nil`, and
    /// only for a moment if it has passed.
    package typealias Writer = (_ changes: [Change], _ lockDeadline: ContinuousClock.Instant?) -> Written

    private enum Call: Sendable {
        case lead
        case end(Outcome)
    }

    /// A waiting commit. A class, because an instant hides its layout: a value that contains one is slow to move.
    private final class Member: Sendable {
        /// `nil` for a lone member, which does its own work.
        let change: Change?
        let deadline: ContinuousClock.Instant?
        let wakeup = Wakeup<Call>()

        init(change: Change?, deadline: ContinuousClock.Instant?) { (self.change, self.deadline) = (change, deadline) }
    }

    /// The place of a commit that has entered the queue.
    private enum Entry: Sendable {
        case leads(Batch)
        case waits(CommitQueueState.MemberID, Wakeup<Call>)
    }

    /// The commits that a leading thread writes behind its own.
    private struct Batch: Sendable {
        var followers: [Member]
        /// Indicates whether it waits for locks for longer than a moment.
        var isPatient: Bool
    }

    private struct State: Sendable {
        var machine: CommitQueueState
        /// The waiting members. A thread that leads at once is never among them: most commits meet no other.
        var waiting: [CommitQueueState.MemberID: Member] = [:]
        var locks = LockPatience()

        mutating func enqueue(_ change: Change?, until deadline: ContinuousClock.Instant?) -> Entry {
            let (id, role) = machine.enqueue(isLone: change == nil)
            guard role == .wait else { return .leads(beginBatch(by: id)) }
            let member = Member(change: change, deadline: deadline)
            waiting[id] = member
            return .waits(id, member.wakeup)
        }

        /// Takes what waits and may share a transaction with the leader's commit.
        mutating func beginBatch(by leader: CommitQueueState.MemberID) -> Batch {
            let followers = machine.take(by: leader).dropFirst().map { takeOut($0) }
            return Batch(followers: followers, isPatient: locks.isPatient())
        }

        /// Removes a member that no longer waits, because it is led or leads.
        mutating func takeOut(_ id: CommitQueueState.MemberID) -> Member {
            guard let member = waiting.removeValue(forKey: id) else {
                preconditionFailure("A queued commit was lost")
            }
            return member
        }
    }

    private let state: Locked<State>
    /// The number of the thread that writes for this queue, or 0 for none.
    private let leader = Atomic<UInt>(0)
    private let patience: Duration
    private let willRetry: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - batchLimit: The maximum number of changes in one transaction.
    ///   - patience: The time that a thread waits for this queue while it writes for another one.
    ///   - willRetry: A closure that receives the error when the changes of a fallen transaction are about to be written
    ///     again.
    package init(
        batchLimit: Int = 64, patience: Duration = .seconds(30),
        willRetry: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.patience = patience
        self.willRetry = willRetry
        state = Locked(State(machine: CommitQueueState(batchLimit: batchLimit)))
    }

    /// Writes the change, or has it written by the leading thread. Returns when it is durable. Blocks.
    ///
    /// - Parameters:
    ///   - deadline: The time until which the change waits to be taken. Once it is taken, the call waits for the end, but it
    ///     is not repeated any more, unless it only assumed too much.
    ///   - write: A closure that is called if this thread leads: it writes the changes, with its own first, in one store
    ///     transaction. It is called again for each of them, perhaps several times, if the transaction fell.
    /// - Throws: ``SaveError`` if the deadline passed, ``StoreError`` inside a commit of the same queue, in which cases
    ///   nothing was written; or the error of the change's outcome.
    package func commit(
        _ change: Change, deadline: ContinuousClock.Instant? = nil, write: Writer
    ) throws -> Receipt {
        try requireOutside()
        switch state.withLock({ $0.enqueue(change, until: deadline) }) {
        case .leads(let batch): return try lead(batch, change, until: deadline, write: write).get()
        case .waits(let id, let wakeup):
            switch try wait(for: wakeup, of: id, until: CommitLeader.earlier(deadline, patience: patience)) {
            case .lead:
                let batch = state.withLock { $0.beginBatch(by: id) }
                return try lead(batch, change, until: deadline, write: write).get()
            case .end(let outcome): return try outcome.get()
            }
        }
    }

    /// Runs work that must not share a transaction with another commit, on the calling thread, in its turn. Blocks.
    ///
    /// - Parameters:
    ///   - deadline: The time until which the work waits for its turn.
    ///   - work: A closure that writes its own transaction. It must not commit to this queue.
    /// - Throws: The errors of `commit`, or that of the work.
    package func commitAlone<Outcome>(
        until deadline: ContinuousClock.Instant? = nil, _ work: () throws -> Outcome
    ) throws -> Outcome {
        try requireOutside()
        if case .waits(let id, let wakeup) = state.withLock({ $0.enqueue(nil, until: deadline) }) {
            // A lone member is not taken along: it can only be told to lead.
            _ = try wait(for: wakeup, of: id, until: CommitLeader.earlier(deadline, patience: patience))
            state.withLock { state in _ = state.machine.take(by: id) }
        }
        defer { finish() }
        return try leading(work)
    }

    /// Writes what must not share a transaction with a change, on the calling thread, in its turn. Blocks.
    ///
    /// - Parameters:
    ///   - deadline: The time until which it waits for its turn. It is not repeated any more after that.
    ///   - mayRepeat: Whether it is written again, perhaps several times, if other processes are in the way.
    ///   - write: A closure that writes it, with one outcome, and waits for locks as a `Writer` does.
    /// - Throws: The errors of `commit`.
    package func commitAlone(
        until deadline: ContinuousClock.Instant?, mayRepeat: Bool,
        write: (_ lockDeadline: ContinuousClock.Instant?) -> Written
    ) throws -> Receipt {
        try commitAlone(until: deadline) {
            let isPatient = state.withLock { $0.locks.isPatient() }
            var lockDeadline = isPatient ? deadline : .now
            var contention: ContentionRetry?
            while true {
                let start = ContinuousClock.now
                switch write(lockDeadline) {
                case .finished(let outcomes):
                    precondition(outcomes.count == 1, "A commit has exactly one outcome")
                    return try outcomes[0].get()
                case .fell(let error, let duration):
                    state.withLock {
                        $0.locks.note(error, since: start, lockDeadline: lockDeadline, repeatedFor: duration)
                    }
                    var retry =
                        contention ?? ContentionRetry(for: duration, isPatient: isPatient).limited(to: deadline)
                    if !mayRepeat || !retry.waits(after: error) { throw error }
                    (contention, lockDeadline) = (retry, retry.lockDeadline)
                }
            }
        }
    }

    /// Indicates whether the calling thread writes for this queue, that is, whether it is inside `write` or `work`.
    package var isLedByCaller: Bool { leader.load(ordering: .relaxed) == ThreadID.current.number }

    /// - Throws: ``StoreError`` with the code `wouldDeadlock` if the calling thread writes for this queue.
    package func requireOutside() throws {
        if isLedByCaller { throw StoreError.insideCommit }
    }

    /// Runs work as the thread that writes for this queue.
    private func leading<Outcome>(_ work: () throws -> Outcome) rethrows -> Outcome {
        leader.store(ThreadID.current.number, ordering: .relaxed)
        let wasLeading = CommitLeader.mark.isOnCaller
        CommitLeader.mark.setOnCaller()
        defer {
            if !wasLeading { CommitLeader.mark.removeFromCaller() }
            leader.store(0, ordering: .relaxed)
        }
        return try work()
    }

    /// The number of commits that currently wait for a leader.
    package var waitingCount: Int {
        state.withLock { state in state.machine.waitingCount }
    }

    private func wait(
        for wakeup: Wakeup<Call>, of id: CommitQueueState.MemberID, until deadline: ContinuousClock.Instant?
    ) throws -> Call {
        guard let deadline else { return wakeup.wait() }
        if let call = wakeup.wait(until: deadline) { return call }
        if leaveQueue(id) { throw SaveError.deadlinePassed }
        // It has been taken, or told to lead, meanwhile: the call is on its way.
        return wakeup.wait()
    }

    /// Removes a waiting member from the queue; returns `false` if it is too late.
    private func leaveQueue(_ id: CommitQueueState.MemberID) -> Bool {
        state.withLock { state in
            guard state.machine.cancel(id) == .left else { return false }
            _ = state.takeOut(id)
            return true
        }
    }

    private func lead(
        _ batch: Batch, _ own: Change, until ownDeadline: ContinuousClock.Instant?, write: Writer
    ) -> Outcome {
        let (followers, isPatient) = (batch.followers, batch.isPatient)
        // As long as one of them waits.
        var deadline = ownDeadline
        for member in followers {
            if let latest = deadline { deadline = member.deadline.map { max(latest, $0) } }
        }
        if !isPatient { deadline = .now }
        let start = deadline.map { _ in ContinuousClock.now }
        let outcomes = leading { () -> [Outcome] in
            switch write([own] + followers.compactMap(\.change), deadline) {
            case .finished(let outcomes):
                precondition(outcomes.count == followers.count + 1, "A commit has exactly one outcome")
                return outcomes
            case .fell(let error, let duration):
                state.withLock { state in
                    state.machine.fall()
                    state.locks.note(error, since: start, lockDeadline: deadline, repeatedFor: duration)
                }
                var contention = ContentionRetry(for: duration, isPatient: isPatient)
                // Of no interest to anybody if others were in the way.
                if !contention.waits(after: error) { willRetry(error) }
                let outcome = writeAlone(own, until: ownDeadline, repeatedBy: &contention, write: write)
                redo(followers, repeatedBy: &contention, write: write)
                return [outcome]
            }
        }
        finish()
        // Those of a batch that fell have been woken.
        for (member, outcome) in zip(followers, outcomes.dropFirst()) { member.wakeup.wake(with: .end(outcome)) }
        return outcomes[0]
    }

    /// Ends a batch. The next leader is woken before the followers, because the disk is waiting for it.
    private func finish() {
        let nextLeader = state.withLock { state in
            state.machine.finish().nextLeader.map { state.takeOut($0) }
        }
        nextLeader?.wakeup.wake(with: .lead)
    }

    // MARK: Batches that fell

    /// Writes the change of each follower of a fallen batch alone, and wakes the follower at once: the next one may take long.
    private func redo(_ followers: [Member], repeatedBy contention: inout ContentionRetry, write: Writer) {
        for member in followers {
            guard let change = member.change else { preconditionFailure("A lone commit shares no transaction") }
            let outcome = writeAlone(change, until: member.deadline, repeatedBy: &contention, write: write)
            member.wakeup.wake(with: .end(outcome))
        }
    }

    /// Writes a change of a fallen batch in a transaction of its own, several times if other processes are in the way.
    ///
    /// - Parameter contention: The repetitions of the batch. Those of its changes have the same deadline, and wait in vain for
    ///   a lock once. After that, each change is still written once.
    private func writeAlone(
        _ change: Change, until deadline: ContinuousClock.Instant?, repeatedBy contention: inout ContentionRetry,
        write: Writer
    ) -> Outcome {
        let member = state.withLock { state in state.machine.beginAlone() }
        precondition(member != nil, "Each commit of a failed batch is retried alone")
        var own = contention.limited(to: deadline)
        defer { contention.note(own) }
        while true {
            let (lockDeadline, start) = (own.lockDeadline, ContinuousClock.now)
            switch write([change], lockDeadline) {
            case .finished(let results):
                precondition(results.count == 1, "A commit has exactly one outcome")
                return results[0]
            case .fell(let error, let duration):
                state.withLock {
                    $0.locks.note(error, since: start, lockDeadline: lockDeadline, repeatedFor: duration)
                }
                if !own.waits(after: error) { return .failure(error) }
            }
        }
    }
}

/// **Value.** The behavior of a thread that writes for one queue and would have to wait elsewhere.
enum CommitLeader {
    /// The mark of every thread that writes for a queue.
    fileprivate static let mark = ThreadMark()

    /// Indicates whether the calling thread writes for a queue.
    static var isCaller: Bool { mark.isOnCaller }

    /// Returns the deadline of the calling thread's waits for a queue: the given one, or the end of its patience if the thread
    /// writes for another queue. The thread that writes for this one may wait for that.
    fileprivate static func earlier(
        _ deadline: ContinuousClock.Instant?, patience: Duration
    ) -> ContinuousClock.Instant? {
        if !isCaller { return deadline }
        let latest = ContinuousClock.now + patience
        return deadline.map { min($0, latest) } ?? latest
    }
}
