import DataMonkCore

/// **Value.** The passage of one step through its gates, one after the other: the gate of its context and, under
/// `.serial`, the gate that all updates pass.
///
///     requested --pass, enterAndWait--> inside --leave--> gone
///         +-----------refused, cancelled, deadline------> gone
///
/// The place at the first gate is taken when the entrance is created, and the place at the next gate as well if the first
/// gate is free. Thus `beginUpdate` keeps the order of its calls. A later step requests the second gate only after it has
/// passed the first; otherwise two contexts could each hold the gate that the other one waits for.
///
/// Waits are recorded in ``WaitGraph`` as soon as they are known, before anyone waits: an update whose task has not begun
/// yet is waited for like any other.
struct GateRequest: Sendable {
    /// The step that passes the gates.
    let party: WaitParticipant
    private let gates: [UpdateGate]
    private var tickets: [UpdateGate.Ticket] = []
    /// Indicates whether waits are recorded.
    private var isWaiting = false

    /// Takes a place.
    ///
    /// - Parameter gates: The gates to pass, at least one.
    init(_ party: WaitParticipant, through gates: [UpdateGate]) {
        self.party = party
        self.gates = gates
        for gate in gates {
            let ticket = gate.request(by: party)
            tickets.append(ticket)
            if !gate.holds(ticket) { break }
        }
        let isInside = tickets.count == gates.count && gates.last?.holds(tickets[tickets.count - 1]) == true
        if isInside { return }
        isWaiting = true
        // A wait for a gate that the party already holds has no effect.
        for gate in gates { WaitGraph.shared.add(party, waitingFor: .gate(gate)) }
    }

    private init(inside gates: [UpdateGate], tickets: [UpdateGate.Ticket], party: WaitParticipant) {
        self.party = party
        self.gates = gates
        self.tickets = tickets
    }

    var firstTicket: UpdateGate.Ticket { tickets[0] }

    /// Indicates whether every gate is passed.
    var isInside: Bool { !isWaiting }

    /// **Value.** The time for which a task waits.
    enum TimeoutPolicy: Sendable {
        case unlimited
        case until(ContinuousClock.Instant)
        /// Until it is found to wait for itself. Whether it does is looked for when the holder, or the step that it waits for
        /// in turn, has made no progress for the given time; if it does not, that is reported to the stack.
        case untilStalled(Duration, Stack)
    }

    /// Suspends until every gate is passed. If it throws, it has given up all its places.
    ///
    /// - Throws: ``UpdateError``; `CancellationError`.
    nonisolated(nonsending) mutating func pass(_ timeoutPolicy: TimeoutPolicy = .unlimited) async throws {
        if isWaiting { try await enter(timeoutPolicy) }
    }

    @GateActor private mutating func enter(_ timeoutPolicy: TimeoutPolicy) async throws {
        isWaiting = false
        defer { WaitGraph.shared.removeAll(of: party) }
        do {
            try WaitGraph.shared.check(party)
            for (index, gate) in gates.enumerated() {
                if index == tickets.count { tickets.append(gate.request(by: party)) }
                try await enter(gate, with: tickets[index], timeoutPolicy: timeoutPolicy)
            }
        } catch {
            leave()
            throw UpdateError.explaining(error, waiter: party.call)
        }
    }

    @GateActor private func enter(
        _ gate: UpdateGate, with ticket: UpdateGate.Ticket, timeoutPolicy: TimeoutPolicy
    ) async throws {
        if gate.holds(ticket) { return }
        // From its admission on, the step is waited for.
        try await withTaskExecutorPreference(GateActor.resumption) {
            try await wait(for: gate, with: ticket, timeoutPolicy: timeoutPolicy)
        }
    }

    @GateActor private func wait(
        for gate: UpdateGate, with ticket: UpdateGate.Ticket, timeoutPolicy: TimeoutPolicy
    ) async throws {
        switch timeoutPolicy {
        case .unlimited: try await gate.enter(with: ticket)
        case .until(let deadline):
            let timer = DeadlineTimer(at: deadline) { [weak gate] in
                gate?.cancel(ticket, throwing: GateError.deadlinePassed(holder: gate?.holder?.call))
            }
            defer { timer.cancel() }
            try await gate.enter(with: ticket)
        case .untilStalled(let interval, let stack):
            let timer = StallTimer(of: party, interval: interval, stack: stack) { [weak gate] in
                gate?.holder.map { WaitGraph.shared.last(from: $0) }
            } giveUp: { [weak gate] holder in
                gate?.cancel(ticket, throwing: GateError.deadlinePassed(holder: holder.call))
            }
            defer { timer.cancel() }
            try await gate.enter(with: ticket)
        }
    }

    /// Blocks the thread until every gate is passed.
    ///
    /// - Throws: ``UpdateError``. In that case, no place is held.
    static func enterAndWait(
        _ party: WaitParticipant, through gates: [UpdateGate], until deadline: ContinuousClock.Instant
    ) throws -> GateRequest {
        var tickets: [UpdateGate.Ticket] = []
        do {
            for gate in gates {
                let ticket = try WorkerPool.shared.whileBlocked {
                    try gate.enterAndWait(by: party, deadline: deadline, refusesSuspension: MainQueue.isCurrent)
                }
                tickets.append(ticket)
            }
        } catch {
            GateRequest(inside: gates, tickets: tickets, party: party).leave()
            throw UpdateError.explaining(error, waiter: party.call)
        }
        return GateRequest(inside: gates, tickets: tickets, party: party)
    }

    /// Gives up all places, passed or not. The last gate comes first, so that the next step to pass the first gate finds
    /// the last one free.
    func leave() {
        for index in tickets.indices.reversed() { gates[index].giveUp(tickets[index]) }
    }
}

extension UpdateError {
    /// Returns a gate's or the graph's error as an ``UpdateError``, and any other error unchanged.
    static func explaining(_ error: any Error, waiter: UpdateCall) -> any Error {
        switch error {
        case GateError.wouldDeadlock(let holder): wouldWaitForItself(waiter: waiter, holder: holder)
        case WaitGraph.Refusal.cycle(let holder): wouldWaitForItself(waiter: waiter, holder: holder)
        case GateError.mayNeedMain(let holder): mayNeedMain(waiter: waiter, holder: holder)
        case WaitGraph.Refusal.suspension(let holder): mayNeedMain(waiter: waiter, holder: holder)
        case GateError.deadlinePassed(let holder): deadlinePassed(waiter: waiter, holder: holder)
        default: error
        }
    }
}
