import DequeModule

/// **Value.** First come, first served, one at a time: the performs of one update context, awaits included, and under
/// `.serial` the updates of all update contexts of one context.
///
/// A ticket is
///
///     request --> queued --granted by release--> holding --release--> ended
///        |           +------cancel--> ended         ^ |
///        +--granted at once-------------------------+ +-- reenter, one release more
///
/// All moves under the lock of whoever owns the order: `request` by whoever wants in, `cancel` by whoever gave up
/// waiting, `reenter` and `release` by the holder. A perform on the *current* update is a continuation of the body
/// that holds: it enters again under the same ticket, or the body that awaits it would wait for itself.
///
/// ## Invariants
/// 1. The queue ascends: tickets are granted in the order of their requests.
/// 2. If tickets are queued, one holds: nobody waits for a grant that does not come.
/// 3. The holder's ticket is older than every queued one.
/// 4. `depth` is positive exactly while a ticket holds.
/// 5. Each ticket ends once: issued = ended + holding + queued.
///
/// ## Illegal, and why
/// - release or reenter by a ticket that does not hold: somebody else's body is running.
package struct SerialOrder: Sendable {
    /// **Value.** A place in the order. Numbers ascend in the order of requests.
    package struct Ticket: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        package static func < (left: Ticket, right: Ticket) -> Bool { left.rawValue < right.rawValue }
    }

    /// What a request met.
    package enum Entry: Sendable {
        case granted
        case queued
    }

    /// Whether a cancellation came in time.
    package enum Cancellation: Sendable {
        /// The ticket has left the queue.
        case left
        /// It holds, and has to be released, or it has ended.
        case tooLate
    }

    /// Who is in.
    package private(set) var holder: Ticket?
    private(set) var depth = 0
    private(set) var queue: Deque<Ticket> = []
    private(set) var issued: UInt64 = 0
    private(set) var ended: UInt64 = 0

    package init() {}

    /// Asks to be let in.
    package mutating func request() -> (ticket: Ticket, entry: Entry) {
        issued += 1
        let ticket = Ticket(rawValue: issued)
        if holder != nil {
            queue.append(ticket)
            return (ticket, .queued)
        }
        hold(ticket)
        return (ticket, .granted)
    }

    /// The holder enters once more: it has to release once more, too.
    package mutating func reenter(_ ticket: Ticket) {
        precondition(holder == ticket, "Only the holder enters again")
        depth += 1
    }

    /// The holder leaves.
    ///
    /// - Returns: the ticket that is granted now, whose owner is to be woken.
    package mutating func release(_ ticket: Ticket) -> Ticket? {
        precondition(holder == ticket, "Only the holder releases")
        depth -= 1
        if depth > 0 { return nil }
        ended += 1
        holder = nil
        guard let next = queue.popFirst() else { return nil }
        hold(next)  // 2
        return next
    }

    /// The owner of the ticket does not want to wait any longer.
    package mutating func cancel(_ ticket: Ticket) -> Cancellation {
        guard let index = place(of: ticket) else { return .tooLate }
        queue.remove(at: index)
        ended += 1
        return .left
    }

    /// Whether the ticket waits for its grant.
    package func isQueued(_ ticket: Ticket) -> Bool { place(of: ticket) != nil }

    /// Where a ticket stands in the queue, which ascends (1): ten thousand may wait.
    private func place(of ticket: Ticket) -> Int? {
        var low = 0
        var high = queue.count
        while low < high {
            let middle = (low + high) / 2
            if queue[middle] < ticket { low = middle + 1 } else { high = middle }
        }
        return low < queue.count && queue[low] == ticket ? low : nil
    }

    private mutating func hold(_ ticket: Ticket) {
        holder = ticket
        depth = 1
    }
}
