import DequeModule

/// **Shared.** Admits the bodies of one update context one after the other, each until it has really ended. An actor
/// alone would admit the next one at the first await.
///
/// ``SerialOrder`` makes the decisions; this type suspends tasks, blocks threads, and wakes them. `request` takes a place
/// in the order, immediately and without suspending, so that the order is that of the calls even if a task is only
/// started to wait for its turn. After a request, the owner enters or cancels; after entering, it leaves.
///
/// A gate knows its requesters, so that ``WaitGraph`` can refuse waits that could never end, and errors can name the
/// holder.
package final class UpdateGate: Sendable {
    package typealias Ticket = SerialOrder.Ticket

    // Indirect: a continuation hides its layout, and a value that contains one is slow to move.
    private indirect enum Waiter: Sendable {
        case task(CheckedContinuation<Void, any Error>)
        case thread(Wakeup<Grant>)
    }

    private enum Grant: Sendable { case granted, cancelled }

    private struct State: Sendable {
        var order = SerialOrder()
        /// The party of the ticket that holds, if it is known. Apart from those that wait: most gates never have any.
        private(set) var holder: WaitParticipant?
        /// The waiters by ticket. A queued ticket has none until its owner has begun to wait.
        var waiters: [Ticket: Waiter] = [:]
        /// The parties of the queued tickets, as far as they are known; ascending.
        private var parties: Deque<(ticket: Ticket, party: WaitParticipant)> = []
        /// The errors for tasks that have yet to wait for a ticket that was given up before.
        var refusals: [Ticket: any Error] = [:]

        mutating func request(by party: WaitParticipant?) -> (ticket: Ticket, entry: SerialOrder.Entry) {
            let request = order.request()
            switch request.entry {
            case .granted: holder = party
            case .queued: if let party { parties.append((request.ticket, party)) }
            }
            return request
        }

        /// Lets the holder leave.
        ///
        /// - Returns: The ticket that is granted now, whose owner must be woken.
        mutating func release(_ ticket: Ticket) -> Ticket? {
            let next = order.release(ticket)
            if order.holder != ticket { holder = next.flatMap { removeParty(of: $0) } }
            return next
        }

        /// Cancels a ticket whose owner no longer wants to wait.
        mutating func cancel(_ ticket: Ticket) -> SerialOrder.Cancellation {
            let cancellation = order.cancel(ticket)
            if case .left = cancellation { removeParty(of: ticket) }
            return cancellation
        }

        /// Returns a party that holds or comes before the ticket, and that can suspend.
        func suspending(before ticket: Ticket) -> WaitParticipant? {
            if let first = order.holder, first < ticket, let holder, holder.canSuspend { return holder }
            return parties.first { $0.ticket < ticket && $0.party.canSuspend }?.party
        }

        /// Removes and returns the party of a queued ticket, if it is known.
        @discardableResult
        private mutating func removeParty(of ticket: Ticket) -> WaitParticipant? {
            let place = parties.indices.partitionPoint { parties[$0].ticket >= ticket }
            guard place < parties.count, parties[place].ticket == ticket else { return nil }
            return parties.remove(at: place).party
        }
    }

    private enum Arrival: Sendable {
        case granted, waiting
        case gone(any Error)
    }

    private enum Departure: Sendable {
        /// With the waiter, if the ticket's owner has begun to wait.
        case left(Waiter?)
        case tooLate
    }

    private let state = Locked(State())

    package init() {}

    /// Takes the next place.
    package func request(by party: WaitParticipant? = nil) -> Ticket {
        state.withLock { $0.request(by: party).ticket }
    }

    /// Requests a place, and suspends until admitted.
    package func enter() async throws -> Ticket {
        let ticket = request()
        try await enter(with: ticket)
        return ticket
    }

    /// Suspends until the ticket is admitted, and resumes on the caller's actor.
    ///
    /// - Throws: `CancellationError` if the task or the ticket was cancelled while it waited; the ticket has then left
    ///   the queue. A ticket that is admitted first enters, whether cancelled or not.
    package func enter(with ticket: Ticket, isolation: isolated (any Actor)? = #isolation) async throws {
        if holds(ticket) { return }
        try await withTaskCancellationHandler {
            // A closure that does not capture the actor is not isolated to it, and would continue on a cooperative thread.
            _ = isolation
            try await withCheckedThrowingContinuation { continuation in
                switch arrive(ticket, as: .task(continuation)) {
                case .granted: continuation.resume()
                case .gone(let error): continuation.resume(throwing: error)
                case .waiting: break
                }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Requests a place, and blocks the thread until admitted.
    ///
    /// - Parameters:
    ///   - party: The requester.
    ///   - deadline: The time until which to wait.
    ///   - refusesSuspension: Returns whether it must not wait for code that can suspend.
    /// - Throws: ``GateError``.
    package func enterAndWait(
        by party: WaitParticipant? = nil, deadline: ContinuousClock.Instant? = nil,
        refusesSuspension: @autoclosure () -> Bool = false
    ) throws -> Ticket {
        let (ticket, entry) = state.withLock { $0.request(by: party) }
        if case .granted = entry { return ticket }
        guard let party else { return try block(ticket, until: deadline) }
        do {
            try beginWait(of: party, for: ticket, refusesSuspension: refusesSuspension())
        } catch {
            // Admitted at the last moment: there is no longer anything to wait for.
            if case .tooLate = leaveQueue(ticket) { return try block(ticket, until: deadline) }
            throw error
        }
        defer { WaitGraph.shared.remove(party, waitingFor: .gate(self)) }
        return try block(ticket, until: deadline)
    }

    /// Records a wait, unless it is refused.
    private func beginWait(
        of party: WaitParticipant, for ticket: Ticket, refusesSuspension: Bool
    ) throws(GateError) {
        if refusesSuspension, let holder = suspending(before: ticket) { throw .mayNeedMain(holder: holder.call) }
        do {
            try WaitGraph.shared.begin(party, waitingFor: .gate(self), refusesSuspension: refusesSuspension)
        } catch {
            switch error {
            case .cycle(let holder): throw .wouldDeadlock(holder: holder)
            case .suspension(let holder): throw .mayNeedMain(holder: holder)
            }
        }
    }

    private func block(_ ticket: Ticket, until deadline: ContinuousClock.Instant?) throws -> Ticket {
        let wakeup = Wakeup<Grant>()
        switch arrive(ticket, as: .thread(wakeup)) {
        case .granted: return ticket
        case .gone(let error): throw error
        case .waiting: break
        }
        guard let deadline else { return try entered(ticket, with: wakeup.wait()) }
        if let grant = wakeup.wait(until: deadline) { return try entered(ticket, with: grant) }
        let holder = holder?.call
        if case .left = leaveQueue(ticket) { throw GateError.deadlinePassed(holder: holder) }
        // Admitted at the last moment: the grant is on its way.
        return try entered(ticket, with: wakeup.wait())
    }

    /// Enters once more under a ticket that has been admitted: a perform on the current update. It must also leave once
    /// more.
    ///
    /// - Returns: `false` if the ticket is no longer admitted, or about to leave.
    package func reenterIfHolding(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard state.order.holder == ticket, !state.order.isClosed else { return false }
            state.order.reenter(ticket)
            return true
        }
    }

    /// Prevents an admitted ticket from entering once more, because it is about to leave.
    ///
    /// - Returns: `false` if it has entered again, and has yet to leave that.
    package func close(_ ticket: Ticket) -> Bool { state.withLock { $0.order.close(ticket) } }

    /// Leaves the gate, and admits the next ticket.
    package func leave(_ ticket: Ticket) {
        let hasLeft = leaveIfHolding(ticket)
        precondition(hasLeft, "Only the holder can leave the gate")
    }

    /// Gives up a place, admitted or not.
    package func giveUp(_ ticket: Ticket) {
        if leaveIfHolding(ticket) || cancel(ticket) { return }
        // It was admitted between the two calls, or had left before.
        _ = leaveIfHolding(ticket)
    }

    private func leaveIfHolding(_ ticket: Ticket) -> Bool {
        var isHolding = false
        let waiter: Waiter? = state.withLock { state in
            guard state.order.holder == ticket else { return nil }
            isHolding = true
            let next = state.release(ticket)
            // A ticket without a waiter finds that it has been admitted when its owner comes to wait.
            return next.flatMap { state.waiters.removeValue(forKey: $0) }
        }
        switch waiter {
        case .task(let continuation): continuation.resume()
        case .thread(let wakeup): wakeup.wake(with: .granted)
        case nil: break
        }
        return isHolding
    }

    /// Gives up a requested ticket that has not been admitted yet.
    ///
    /// - Parameter error: The error for the task that waits for the ticket, or will; `nil` for a `CancellationError`, and
    ///   if no task will.
    /// - Returns: `true` if it has left the queue. Otherwise it has been admitted and must leave, or has already left.
    @discardableResult
    package func cancel(_ ticket: Ticket, throwing error: (any Error)? = nil) -> Bool {
        switch leaveQueue(ticket, with: error) {
        case .tooLate: return false
        case .left(.task(let continuation)): continuation.resume(throwing: error ?? CancellationError())
        case .left(.thread(let wakeup)): wakeup.wake(with: .cancelled)
        case .left(nil): break
        }
        return true
    }

    /// Returns `true` if the ticket has been admitted.
    package func holds(_ ticket: Ticket) -> Bool {
        state.withLock { state in state.order.holder == ticket }
    }

    /// The party that has been admitted, if it is known.
    package var holder: WaitParticipant? {
        state.withLock { $0.holder }
    }

    /// Returns the ticket under which a party has been admitted, or a step inside of which it was begun; `nil` if another
    /// party or none has been admitted.
    package func ticket(heldBy party: WaitParticipant) -> Ticket? {
        state.withLock { state in
            guard let ticket = state.order.holder, let holder = state.holder else { return nil }
            return party.isInside(holder) ? ticket : nil
        }
    }

    /// Returns a party that has been admitted or comes before the ticket, and that can suspend.
    private func suspending(before ticket: Ticket) -> WaitParticipant? {
        state.withLock { $0.suspending(before: ticket) }
    }

    private func entered(_ ticket: Ticket, with grant: Grant) throws -> Ticket {
        switch grant {
        case .granted: return ticket
        case .cancelled: throw CancellationError()
        }
    }

    private func arrive(_ ticket: Ticket, as waiter: Waiter) -> Arrival {
        state.withLock { state in
            if state.order.holder == ticket { return .granted }
            guard state.order.isQueued(ticket) else {
                return .gone(state.refusals.removeValue(forKey: ticket) ?? CancellationError())
            }
            state.waiters[ticket] = waiter
            return .waiting
        }
    }

    /// Removes a queued ticket.
    private func leaveQueue(_ ticket: Ticket, with error: (any Error)? = nil) -> Departure {
        state.withLock { state in
            switch state.cancel(ticket) {
            case .left:
                let waiter = state.waiters.removeValue(forKey: ticket)
                if waiter == nil { state.refusals[ticket] = error }
                return .left(waiter)
            case .tooLate: return .tooLate
            }
        }
    }
}

/// **Value.** The reason why a request was not admitted, with the holder.
package enum GateError: Error, Hashable, Sendable {
    /// The calling code would wait for itself, through the holder.
    case wouldDeadlock(holder: UpdateCall?)
    /// The calling code holds the main actor, which the holder may need to continue.
    case mayNeedMain(holder: UpdateCall?)
    case deadlinePassed(holder: UpdateCall?)
}
