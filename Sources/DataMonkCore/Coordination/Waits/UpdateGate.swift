import DequeModule

/// **Shared.** Lets the bodies of one update context in, one after the other, each until it is really done: an actor
/// alone would let the next one in at the first await.
///
/// ``SerialOrder`` decides; this type suspends tasks, blocks threads, and wakes them. A place in the order is taken by
/// `request`, at once and without suspending, so that the order is the order of the calls even where a task is started
/// only to wait for its turn. Whoever has requested enters or cancels; whoever has entered leaves.
///
/// A gate knows who asks, so that ``WaitGraph`` can refuse waits that could not end, and errors can name who is in.
package final class UpdateGate: Sendable {
    package typealias Ticket = SerialOrder.Ticket

    private enum Waiter: Sendable {
        case task(CheckedContinuation<Void, any Error>)
        case thread(Wakeup<Grant>)
    }

    private enum Grant: Sendable { case granted, cancelled }

    private struct State: Sendable {
        var order = SerialOrder()
        /// Who is to be woken for a ticket. A queued ticket has none until its owner has begun to wait.
        var waiters: [Ticket: Waiter] = [:]
        /// Who is in, and who waits, as far as they have said so; ascending.
        var parties: Deque<(ticket: Ticket, party: WaitParty)> = []
        /// What a task is told that comes to wait under a ticket that was given up before.
        var refusals: [Ticket: any Error] = [:]

        mutating func request(by party: WaitParty?) -> (ticket: Ticket, entry: SerialOrder.Entry) {
            let request = order.request()
            if let party { parties.append((request.ticket, party)) }
            return request
        }

        /// Who has said that a ticket is theirs.
        func party(of ticket: Ticket) -> WaitParty? { place(of: ticket).map { parties[$0].party } }

        mutating func forgetParty(of ticket: Ticket) {
            if let place = place(of: ticket) { parties.remove(at: place) }
        }

        private func place(of ticket: Ticket) -> Int? {
            // The holder, who is asked for most, comes before all who wait; of those there may be thousands.
            if parties.first?.ticket == ticket { return 0 }
            var (low, high) = (0, parties.count)
            while low < high {
                let middle = (low + high) / 2
                if parties[middle].ticket < ticket { low = middle + 1 } else { high = middle }
            }
            return low < parties.count && parties[low].ticket == ticket ? low : nil
        }
    }

    private enum Arrival: Sendable {
        case granted, waiting
        case gone(any Error)
    }

    private enum Departure: Sendable {
        /// With the waiter, if its owner has begun to wait.
        case left(Waiter?)
        case tooLate
    }

    private let state = Locked(State())

    package init() {}

    /// Takes the next place.
    package func request(by party: WaitParty? = nil) -> Ticket {
        state.withLock { $0.request(by: party).ticket }
    }

    /// Requests, and suspends until let in.
    package func enter() async throws -> Ticket {
        let ticket = request()
        try await enter(with: ticket)
        return ticket
    }

    /// Suspends until the ticket is let in.
    ///
    /// - Throws: `CancellationError` if the task was cancelled while it waited, or the ticket was; it has left the
    ///   queue then. A ticket that is let in first enters, cancelled or not.
    package func enter(with ticket: Ticket) async throws {
        if holds(ticket) { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch arrive(ticket, .task(continuation)) {
                case .granted: continuation.resume()
                case .gone(let error): continuation.resume(throwing: error)
                case .waiting: break
                }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Requests, and blocks the thread until let in.
    ///
    /// - Parameters:
    ///   - party: who asks.
    ///   - deadline: until when it waits.
    ///   - refusesSuspension: whether it must not wait for code that can suspend.
    /// - Throws: ``GateError``.
    package func enterAndWait(
        by party: WaitParty? = nil, deadline: ContinuousClock.Instant? = nil,
        refusesSuspension: @autoclosure () -> Bool = false
    ) throws -> Ticket {
        let (ticket, entry) = state.withLock { $0.request(by: party) }
        if case .granted = entry { return ticket }
        guard let party else { return try block(ticket, deadline) }
        WaitGraph.shared.add(party, waitingFor: .gate(self))
        defer { WaitGraph.shared.remove(party, waitingFor: .gate(self)) }
        if let refusal = refusal(of: party, ticket, refusesSuspension()) {
            // Let in at the last moment: there is nothing to wait for any more.
            if case .tooLate = leaveQueue(ticket) { return try block(ticket, deadline) }
            throw refusal
        }
        return try block(ticket, deadline)
    }

    private func refusal(of party: WaitParty, _ ticket: Ticket, _ refusesSuspension: Bool) -> GateError? {
        do {
            try WaitGraph.shared.check(party, refusesSuspension: refusesSuspension)
        } catch {
            switch error {
            case .cycle(let holder): return .wouldDeadlock(holder: holder)
            case .suspension(let holder): return .mayNeedMain(holder: holder)
            }
        }
        guard refusesSuspension, let holder = suspending(before: ticket) else { return nil }
        return .mayNeedMain(holder: holder.call)
    }

    private func block(_ ticket: Ticket, _ deadline: ContinuousClock.Instant?) throws -> Ticket {
        let wakeup = Wakeup<Grant>()
        switch arrive(ticket, .thread(wakeup)) {
        case .granted: return ticket
        case .gone(let error): throw error
        case .waiting: break
        }
        guard let deadline else { return try entered(ticket, wakeup.wait()) }
        if let grant = wakeup.wait(until: deadline) { return try entered(ticket, grant) }
        let holder = holder?.call
        if case .left = leaveQueue(ticket) { throw GateError.deadlinePassed(holder: holder) }
        // Let in at the last moment: the grant is on its way.
        return try entered(ticket, wakeup.wait())
    }

    /// Enters once more under a ticket that is in: a perform on the current update. Leaves once more, too.
    ///
    /// - Returns: false if the ticket is in no more.
    package func reenterIfHolding(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard state.order.holder == ticket else { return false }
            state.order.reenter(ticket)
            return true
        }
    }

    /// Lets the next one in.
    package func leave(_ ticket: Ticket) {
        let hasLeft = leaveIfHolding(ticket)
        precondition(hasLeft, "Only the holder leaves")
    }

    /// Gives a place up that was taken, in or not.
    package func giveUp(_ ticket: Ticket) {
        if leaveIfHolding(ticket) || cancel(ticket) { return }
        // Let in between the two, or gone before.
        _ = leaveIfHolding(ticket)
    }

    private func leaveIfHolding(_ ticket: Ticket) -> Bool {
        var isHolding = false
        let waiter: Waiter? = state.withLock { state in
            guard state.order.holder == ticket else { return nil }
            isHolding = true
            let next = state.order.release(ticket)
            if state.order.holder != ticket { state.forgetParty(of: ticket) }
            // A ticket without waiter finds that it is in when its owner comes to wait.
            return next.flatMap { state.waiters.removeValue(forKey: $0) }
        }
        switch waiter {
        case .task(let continuation): continuation.resume()
        case .thread(let wakeup): wakeup.wake(with: .granted)
        case nil: break
        }
        return isHolding
    }

    /// Gives a requested ticket up, if it has not been let in yet.
    ///
    /// - Parameter error: what the task is told that waits under the ticket, or comes to wait; nil for a
    ///   `CancellationError`, and if it need not come any more.
    /// - Returns: whether it has left; if not it is in, and has to leave, or is gone already.
    @discardableResult
    package func cancel(_ ticket: Ticket, throwing error: (any Error)? = nil) -> Bool {
        switch leaveQueue(ticket, error) {
        case .tooLate: return false
        case .left(.task(let continuation)): continuation.resume(throwing: error ?? CancellationError())
        case .left(.thread(let wakeup)): wakeup.wake(with: .cancelled)
        case .left(nil): break
        }
        return true
    }

    /// Whether the ticket is in.
    package func holds(_ ticket: Ticket) -> Bool {
        state.withLock { state in state.order.holder == ticket }
    }

    /// Who is in, if it said who it is.
    package var holder: WaitParty? {
        state.withLock { state in state.order.holder.flatMap(state.party) }
    }

    /// The ticket under which a party is in, or a step that it was begun inside of; nil if another one is in, or nobody.
    package func ticket(heldBy party: WaitParty) -> Ticket? {
        state.withLock { state in
            guard let ticket = state.order.holder, let holder = state.party(of: ticket) else { return nil }
            return party.isInside(holder) ? ticket : nil
        }
    }

    /// Somebody who is in or comes before the ticket, and can suspend.
    private func suspending(before ticket: Ticket) -> WaitParty? {
        state.withLock { state in
            state.parties.first { $0.ticket < ticket && $0.party.canSuspend }?.party
        }
    }

    private func entered(_ ticket: Ticket, _ grant: Grant) throws -> Ticket {
        switch grant {
        case .granted: return ticket
        case .cancelled: throw CancellationError()
        }
    }

    private func arrive(_ ticket: Ticket, _ waiter: Waiter) -> Arrival {
        state.withLock { state in
            if state.order.holder == ticket { return .granted }
            guard state.order.isQueued(ticket) else {
                return .gone(state.refusals.removeValue(forKey: ticket) ?? CancellationError())
            }
            state.waiters[ticket] = waiter
            return .waiting
        }
    }

    /// Takes a queued ticket out.
    private func leaveQueue(_ ticket: Ticket, _ error: (any Error)? = nil) -> Departure {
        state.withLock { state in
            switch state.order.cancel(ticket) {
            case .left:
                state.forgetParty(of: ticket)
                let waiter = state.waiters.removeValue(forKey: ticket)
                if waiter == nil { state.refusals[ticket] = error }
                return .left(waiter)
            case .tooLate: return .tooLate
            }
        }
    }
}

/// **Value.** Why somebody was not let in, and who was in.
package enum GateError: Error, Hashable, Sendable {
    /// The calling code would wait for itself, by way of the holder.
    case wouldDeadlock(holder: UpdateCall?)
    /// The calling code holds the main actor, which the holder may need to go on.
    case mayNeedMain(holder: UpdateCall?)
    case deadlinePassed(holder: UpdateCall?)
}
