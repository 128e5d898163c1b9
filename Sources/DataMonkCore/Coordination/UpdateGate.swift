/// **Shared.** Lets the bodies of one update context in, one after the other, each until it is really done: an actor
/// alone would let the next one in at the first await.
///
/// ``SerialOrder`` decides; this type suspends tasks, blocks threads, and wakes them. A place in the order is taken by
/// `request`, at once and without suspending, so that the order is the order of the calls even where a task is started
/// only to wait for its turn. Whoever has requested enters or cancels; whoever has entered leaves.
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
    }

    private enum Arrival: Sendable { case granted, waiting, gone }

    private enum Departure: Sendable {
        /// With the waiter, if its owner has begun to wait.
        case left(Waiter?)
        case tooLate
    }

    private let state = Locked(State())

    package init() {}

    /// Takes the next place.
    package func request() -> Ticket {
        state.withLock { state in state.order.request().ticket }
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
                case .gone: continuation.resume(throwing: CancellationError())
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
    ///   - deadline: until when it waits.
    ///   - holding: the ticket of this gate that the calling code runs under, if any.
    /// - Throws: ``GateError``.
    package func enterAndWait(deadline: ContinuousClock.Instant? = nil, holding: Ticket? = nil) throws -> Ticket {
        let ticket: Ticket? = state.withLock { state in
            state.order.wouldDeadlock(waiter: holding) ? nil : state.order.request().ticket
        }
        guard let ticket else { throw GateError.wouldDeadlock }
        let wakeup = Wakeup<Grant>()
        switch arrive(ticket, .thread(wakeup)) {
        case .granted: return ticket
        case .gone: throw CancellationError()
        case .waiting: break
        }
        guard let deadline else { return try entered(ticket, wakeup.wait()) }
        if let grant = wakeup.wait(until: deadline) { return try entered(ticket, grant) }
        if case .left = leaveQueue(ticket) { throw GateError.deadlinePassed }
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
        let waiter: Waiter? = state.withLock { state in
            // A ticket without waiter finds that it is in when its owner comes to wait.
            state.order.release(ticket).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        switch waiter {
        case .task(let continuation): continuation.resume()
        case .thread(let wakeup): wakeup.wake(with: .granted)
        case nil: break
        }
    }

    /// Gives a requested ticket up, if it has not been let in yet.
    ///
    /// - Returns: whether it has left; if not it is in, and has to leave, or is gone already.
    @discardableResult
    package func cancel(_ ticket: Ticket) -> Bool {
        switch leaveQueue(ticket) {
        case .tooLate: return false
        case .left(.task(let continuation)): continuation.resume(throwing: CancellationError())
        case .left(.thread(let wakeup)): wakeup.wake(with: .cancelled)
        case .left(nil): break
        }
        return true
    }

    /// Whether the ticket is in.
    package func holds(_ ticket: Ticket) -> Bool {
        state.withLock { state in state.order.holder == ticket }
    }

    /// Whether blocking on this gate would wait for the calling code itself.
    package func wouldDeadlock(holding ticket: Ticket?) -> Bool {
        state.withLock { state in state.order.wouldDeadlock(waiter: ticket) }
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
            guard state.order.isQueued(ticket) else { return .gone }
            state.waiters[ticket] = waiter
            return .waiting
        }
    }

    /// Takes a queued ticket out.
    private func leaveQueue(_ ticket: Ticket) -> Departure {
        state.withLock { state in
            switch state.order.cancel(ticket) {
            case .left: .left(state.waiters.removeValue(forKey: ticket))
            case .tooLate: .tooLate
            }
        }
    }
}

/// **Value.** Why a thread was not let in.
package enum GateError: Error, Hashable, Sendable {
    /// The calling code runs under a ticket of the same gate: it would wait for itself.
    case wouldDeadlock
    case deadlinePassed
}
