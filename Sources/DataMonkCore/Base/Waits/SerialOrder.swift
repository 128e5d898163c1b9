import DequeModule

/// **Value.** First come, first served, one at a time: the order of the performs of one update context, awaits included,
/// and under `.serial` of the updates of all update contexts of one context.
///
/// A ticket is
///
///     request --> queued --granted by release--> holding --release--> ended
///        |           +------cancel--> ended         ^ |
///        +--granted at once-------------------------+ +-- reenter, which adds one release, until close
///
/// All transitions are made under the lock of the order's owner: `request` by a task that wants to enter, `cancel` by one
/// that no longer wants to wait, `reenter` and `release` by the holder. A perform on the *current* update is a
/// continuation of the body that holds: it enters again under the same ticket; otherwise the body that awaits it would
/// wait for itself. A holder that is about to leave closes first, which it can when all that has entered again has left.
///
/// ## Invariants
/// 1. The queue is ascending: tickets are granted in the order of their requests.
/// 2. If tickets are queued, one holds: every queued ticket will be granted.
/// 3. The holder's ticket is older than every queued one.
/// 4. `depth` is positive exactly while a ticket holds.
/// 5. Each ticket ends once: issued = ended + holding + queued.
/// 6. A holder that has closed is inside once.
///
/// ## Illegal, and why
/// - release or reenter by a ticket that does not hold: another body is running.
/// - reenter after close: the body has ended.
package struct SerialOrder: Sendable {
    /// **Value.** A place in the order. Numbers increase in the order of requests.
    package struct Ticket: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        package static func < (left: Ticket, right: Ticket) -> Bool { left.rawValue < right.rawValue }
    }

    /// **Value.** The result of a request.
    package enum Entry: Sendable {
        case granted
        case queued
    }

    /// **Value.** The result of a cancellation.
    package enum Cancellation: Sendable {
        /// The ticket has left the queue.
        case left
        /// The ticket holds and must be released, or it has ended.
        case tooLate
    }

    /// The ticket that holds.
    package private(set) var holder: Ticket?
    private(set) var depth = 0
    /// Indicates whether the holder is about to leave.
    package private(set) var isClosed = false
    private(set) var queue: Deque<Ticket> = []
    private(set) var issued: UInt64 = 0
    private(set) var ended: UInt64 = 0

    package init() {}

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

    /// Lets the holder enter once more. It must then release once more, too.
    package mutating func reenter(_ ticket: Ticket) {
        precondition(holder == ticket && !isClosed, "Only the holder can enter again")
        depth += 1
    }

    /// Prevents the holder from entering once more, because it is about to leave.
    ///
    /// - Returns: `false` if it has entered again, and has yet to leave that.
    package mutating func close(_ ticket: Ticket) -> Bool {
        precondition(holder == ticket, "Only the holder can close")
        isClosed = depth == 1
        return isClosed
    }

    /// Lets the holder leave.
    ///
    /// - Returns: The ticket that is granted now, whose owner must be woken.
    package mutating func release(_ ticket: Ticket) -> Ticket? {
        precondition(holder == ticket, "Only the holder can release")
        depth -= 1
        if depth > 0 { return nil }
        ended += 1
        holder = nil
        guard let next = queue.popFirst() else { return nil }
        hold(next)  // 2
        return next
    }

    /// Cancels a ticket whose owner no longer wants to wait.
    package mutating func cancel(_ ticket: Ticket) -> Cancellation {
        guard let index = place(of: ticket) else { return .tooLate }
        queue.remove(at: index)
        ended += 1
        return .left
    }

    /// Returns `true` if the ticket waits to be granted.
    package func isQueued(_ ticket: Ticket) -> Bool { place(of: ticket) != nil }

    /// Returns the index of a ticket in the queue by binary search, because ten thousand may wait (invariant 1).
    private func place(of ticket: Ticket) -> Int? {
        let place = (0..<queue.count).partitionPoint { queue[$0] >= ticket }
        return place < queue.count && queue[place] == ticket ? place : nil
    }

    private mutating func hold(_ ticket: Ticket) {
        holder = ticket
        depth = 1
        isClosed = false
    }
}
