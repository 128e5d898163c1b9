import DataMonkCore

/// **Value.** The way of one step through the gates that it has to pass, one after the other: its context's, and under
/// `.serial` the one that all updates pass.
///
///     requested --enter, enterAndWait--> inside --leave--> gone
///         +-----------refused, cancelled, deadline-------> gone
///
/// The place at the first gate is taken when the entrance is made, and at the next one, too, if the first is free: so
/// `beginUpdate` keeps the order of its calls. A later step asks at the second gate when it has passed the first, or two
/// contexts could each hold what the other waits for.
///
/// Waits are written down in ``WaitGraph`` as soon as they are known, before anybody waits: an update whose task has not
/// begun yet is waited for like any other.
struct Entrance: Sendable {
    /// Whose it is.
    let party: WaitParty
    private let gates: [UpdateGate]
    private var tickets: [UpdateGate.Ticket] = []
    /// Whether waits are written down.
    private var isWaiting = false

    /// Takes a place.
    ///
    /// - Parameter gates: at least one.
    init(_ party: WaitParty, through gates: [UpdateGate]) {
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
        // A gate that the party holds already counts for nothing.
        for gate in gates { WaitGraph.shared.add(party, waitingFor: .gate(gate)) }
    }

    private init(inside gates: [UpdateGate], _ tickets: [UpdateGate.Ticket], _ party: WaitParty) {
        self.party = party
        self.gates = gates
        self.tickets = tickets
    }

    /// The place at the first gate.
    var firstTicket: UpdateGate.Ticket { tickets[0] }

    /// How long a task waits.
    enum Patience: Sendable {
        case unlimited
        case until(ContinuousClock.Instant)
        /// Until the holder, or whom it waits for in turn, has done nothing for so long.
        case untilStalled(Duration)
    }

    /// Suspends until every gate is passed. If it throws, no place is taken any more.
    ///
    /// - Throws: ``UpdateError``; `CancellationError`.
    mutating func enter(_ patience: Patience = .unlimited) async throws {
        if !isWaiting { return }
        isWaiting = false
        defer { WaitGraph.shared.removeAll(of: party) }
        do {
            try WaitGraph.shared.check(party)
            for (index, gate) in gates.enumerated() {
                if index == tickets.count { tickets.append(gate.request(by: party)) }
                try await enter(gate, tickets[index], patience)
            }
        } catch {
            leave()
            throw UpdateError.explaining(error, waiter: party.call)
        }
    }

    private func enter(_ gate: UpdateGate, _ ticket: UpdateGate.Ticket, _ patience: Patience) async throws {
        if gate.holds(ticket) { return }
        switch patience {
        case .unlimited: try await gate.enter(with: ticket)
        case .until(let deadline):
            let timer = DeadlineTimer(at: deadline) { [weak gate] in
                gate?.cancel(ticket, throwing: GateError.deadlinePassed(holder: gate?.holder?.call))
            }
            defer { timer.cancel() }
            try await gate.enter(with: ticket)
        case .untilStalled(let interval):
            let timer = StallTimer(interval: interval) { [weak gate] in
                gate?.holder.map { WaitGraph.shared.last(from: $0) }
            } onStall: { [weak gate] holder in
                gate?.cancel(ticket, throwing: GateError.deadlinePassed(holder: holder.call))
            }
            defer { timer.cancel() }
            try await gate.enter(with: ticket)
        }
    }

    /// Blocks the thread until every gate is passed.
    ///
    /// - Throws: ``UpdateError``: nothing is held then.
    static func enterAndWait(
        _ party: WaitParty, through gates: [UpdateGate], until deadline: ContinuousClock.Instant
    ) throws -> Entrance {
        var tickets: [UpdateGate.Ticket] = []
        do {
            for gate in gates {
                let ticket = try WorkerPool.shared.whileBlocked {
                    try gate.enterAndWait(by: party, deadline: deadline, refusesSuspension: MainQueue.isCurrent)
                }
                tickets.append(ticket)
            }
        } catch {
            Entrance(inside: gates, tickets, party).leave()
            throw UpdateError.explaining(error, waiter: party.call)
        }
        return Entrance(inside: gates, tickets, party)
    }

    /// Gives every place up that was taken, in or not. The last gate first: whoever comes next through the first one finds
    /// it free.
    func leave() {
        for index in tickets.indices.reversed() { gates[index].giveUp(tickets[index]) }
    }
}

extension UpdateError {
    /// What a gate or the graph says, in the user's words; any other error as it is.
    static func explaining(_ error: any Error, waiter: UpdateCall) -> any Error {
        switch error {
        case GateError.wouldDeadlock(let holder): wouldWaitForItself(waiter, holder)
        case WaitGraph.Refusal.cycle(let holder): wouldWaitForItself(waiter, holder)
        case GateError.mayNeedMain(let holder): mayNeedMain(waiter, holder)
        case WaitGraph.Refusal.suspension(let holder): mayNeedMain(waiter, holder)
        case GateError.deadlinePassed(let holder): deadlinePassed(waiter, holder)
        default: error
        }
    }
}
