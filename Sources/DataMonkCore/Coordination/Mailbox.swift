import DequeModule

/// **Value.** The notices of commits that a context has not taken in yet.
///
///     empty --deliver--> notices --deliver, when full--> refresh mark
///       ^                   |                               |
///       +------drain--------+-------------drain-------------+
///
/// The leader of the commit queue delivers, after COMMIT and no later than the ledger publishes; the context drains,
/// on its own executor, when a call that may advance is entered or a turn comes that a delivery scheduled. Both under
/// the lock of whoever owns the mailbox.
///
/// A mailbox is bounded: one notice too many, or too heavy, turns all of them into one mark, "refresh everything registered", which
/// then takes in what follows. So a context that never drains costs no more than a mark.
///
/// ## Invariants
/// 1. Notices ascend by generation, there are at most `capacity`, and together they weigh at most `weightLimit`.
/// 2. There are notices or a mark, never both.
/// 3. Nothing pending is of a generation that was drained already.
/// 4. While something is pending a turn is scheduled: no notice waits for the next one to come.
///
/// ## Illegal, and why
/// - deliver of a generation not newer than the last one: a commit would be taken in twice, or out of order.
/// - deliver of a generation the context was drained through: it stands there already and has shown what the notice
///   says has changed. Whoever publishes delivers first.
package struct Mailbox<Notice: Sendable>: Sendable {
    /// What the one who delivers has to do.
    package enum Delivery: Sendable {
        /// See to it that the context drains.
        case scheduleTurn
        case nothing
    }

    /// What a context takes in.
    package struct Drained: Sendable {
        /// What changed, oldest first. With `refreshesAll` there are none.
        package let notices: [Notice]
        /// Notices were given up: everything registered may have changed.
        package let refreshesAll: Bool
        /// Something newer stays behind: see to it that the context drains again.
        package let needsTurn: Bool

        /// Whether there is nothing to do.
        package var isEmpty: Bool { notices.isEmpty && !refreshesAll }
    }

    enum Pending: Sendable {
        case notices(Deque<(generation: Generation, notice: Notice, weight: Int)>)
        /// Notices of these generations were given up.
        case refreshMark(from: Generation, through: Generation)
    }

    private(set) var pending = Pending.notices([])
    private(set) var isTurnScheduled = false
    private(set) var drainedThrough: Generation
    private(set) var lastDelivered: Generation
    /// Of the notices.
    private(set) var pendingWeight = 0
    let capacity: Int
    let weightLimit: Int

    /// - Parameters:
    ///   - generation: where the context stands; it is told what comes after.
    ///   - capacity: how many notices wait at most.
    ///   - weightLimit: how much they weigh at most.
    package init(standingAt generation: Generation, capacity: Int = 64, weightLimit: Int = .max) {
        precondition(capacity > 0, "A mailbox needs room for a notice")
        drainedThrough = generation
        lastDelivered = generation
        self.capacity = capacity
        self.weightLimit = weightLimit
    }

    /// The generation of the refresh mark, if notices were given up.
    package var refreshMark: Generation? {
        if case .refreshMark(_, let through) = pending { through } else { nil }
    }

    var isEmpty: Bool {
        if case .notices(let notices) = pending { notices.isEmpty } else { false }
    }

    /// The oldest generation that can be drained by itself; of a mark, the last one.
    package var first: Generation? {
        switch pending {
        case .notices(let notices): notices.first?.generation
        case .refreshMark(_, let through): through
        }
    }

    /// The notices up to a generation, oldest first, which stay; nil if they were given up.
    package func notices(through generation: Generation) -> [Notice]? {
        guard case .notices(let notices) = pending else { return nil }
        return notices.prefix { $0.generation <= generation }.map { $0.notice }
    }

    /// A commit that concerns the context is durable.
    ///
    /// - Parameter weight: how much memory the notice keeps, in whatever `weightLimit` counts.
    package mutating func deliver(_ notice: Notice, at generation: Generation, weight: Int = 1) -> Delivery {
        precondition(generation > lastDelivered, "Notices are delivered in the order of their commits")  // 1
        precondition(generation > drainedThrough, "The context has passed that generation already")  // 3
        lastDelivered = generation
        switch pending {
        case .refreshMark(let from, _): pending = .refreshMark(from: from, through: generation)
        case .notices(let notices)
        where notices.count == capacity || weight > weightLimit - pendingWeight:
            let from = notices.first?.generation ?? generation
            pendingWeight = 0
            pending = .refreshMark(from: from, through: generation)
        case .notices(var notices):
            // Taken out while it grows: with two owners the deque would be copied.
            pending = .notices([])
            notices.append((generation, notice, weight))
            pendingWeight += weight
            pending = .notices(notices)
        }
        if isTurnScheduled { return .nothing }
        isTurnScheduled = true  // 4
        return .scheduleTurn
    }

    /// The context moves to `generation`: everything up to there leaves the mailbox.
    package mutating func drain(through generation: Generation) -> Drained {
        drainedThrough = max(drainedThrough, generation)
        var notices: [Notice] = []
        var refreshesAll = false
        switch pending {
        case .notices(var queue):
            pending = .notices([])
            while let first = queue.first, first.generation <= generation {
                notices.append(first.notice)
                pendingWeight -= first.weight
                queue.removeFirst()
            }
            pending = .notices(queue)
        case .refreshMark(let from, let through) where from <= generation:
            refreshesAll = true
            pending = through <= generation ? .notices([]) : .refreshMark(from: generation.next, through: through)
        case .refreshMark: break
        }
        isTurnScheduled = !isEmpty  // 4
        return Drained(notices: notices, refreshesAll: refreshesAll, needsTurn: isTurnScheduled)
    }
}
