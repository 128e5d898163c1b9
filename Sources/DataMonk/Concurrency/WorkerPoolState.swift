package import DataMonkCore
package import DequeModule

/// **Value.** The line of work that waits for a thread of a pool, and the number of threads that may work.
///
/// At most `limit` threads work. That is the pool's width, until work waits and nothing moves: then the threads at work
/// are blocked, or compute for long, and more are added, `width` at a time, up to `maximum`. When no work waits any
/// more, the limit goes back with the threads that become idle.
///
/// Urgent work, whose deadline has passed, only ends with an error. It takes a thread of the maximum at once, and of a few
/// more if all of those are blocked. It counts as no movement: what else waits is no nearer to its turn.
///
/// ## Invariants
/// 1. If work waits, at least `limit` threads work.
/// 2. The limit is between the width and the maximum.
/// 3. If work waits, the pool is watched: somebody will look whether something has moved.
/// 4. If urgent work waits, `urgentLimit` threads work.
package struct WorkerPoolState<Work: Equatable> {
    package enum Next {
        case work(Work)
        case park
        case end
    }

    /// **Value.** The finding of a look at the pool.
    package struct Finding {
        /// The work to begin on further threads.
        package let work: [Work]
        /// `true` if nothing moves, and no thread may be added. Reported once, until the limit has gone back.
        package let isExhausted: Bool
    }

    package let width: Int
    package let maximum: Int
    package private(set) var limit: Int
    package private(set) var waiting: Deque<Work> = []
    package private(set) var urgent: Deque<Work> = []
    package private(set) var working = 0
    package private(set) var parked = 0
    /// Indicates whether somebody will look.
    package private(set) var isWatched = false
    private var urgentAtWork: [Work] = []
    private var moves: UInt64 = 0
    private var movesSeen: UInt64 = 0
    private var hasReported = false

    package init(width: Int, maximum: Int) {
        self.width = width
        self.maximum = max(width, maximum)
        limit = width
    }

    /// The number of threads that may work for urgent work.
    private var urgentLimit: Int { maximum + width }

    private var hasWaitingWork: Bool { !waiting.isEmpty || !urgent.isEmpty }

    /// Adds work.
    ///
    /// - Parameter isUrgent: `true` for work that must not wait, and ends soon.
    /// - Returns: `true` if a thread must begin it at once.
    package mutating func schedule(_ work: Work, isUrgent: Bool = false) -> Bool {
        if working < (isUrgent ? urgentLimit : limit) {
            if isUrgent { beginUrgent(work) } else { begin() }
            return true
        }
        if isUrgent { urgent.append(work) } else { waiting.append(work) }
        return false
    }

    /// Makes work urgent, if it waits.
    ///
    /// - Returns: `true` if a thread must begin it at once.
    package mutating func expedite(_ work: Work) -> Bool {
        guard let index = waiting.firstIndex(of: work) else { return false }
        waiting.remove(at: index)
        return schedule(work, isUrgent: true)
    }

    /// A thread at work is about to block until other work has ended.
    ///
    /// - Returns: The work that takes its place, to begin on another thread.
    package mutating func block() -> Work? {
        working -= 1
        return beginWaiting()
    }

    /// A blocked thread goes on.
    package mutating func unblock() { begin() }

    /// A thread at work has done a part of its work.
    ///
    /// - Parameter hasMore: `true` if there is more of it.
    package mutating func next(after work: Work, hasMore: Bool) -> Next {
        working -= 1
        if let index = urgentAtWork.firstIndex(of: work) { urgentAtWork.remove(at: index) } else { moves &+= 1 }
        if hasMore { waiting.append(work) }
        if let work = beginWaiting() { return .work(work) }
        if !hasWaitingWork {
            limit = max(width, min(limit, working))
            if limit == width { hasReported = false }
        }
        if parked == width { return .end }
        parked += 1
        return .park
    }

    /// A parked thread is given work, which has begun.
    ///
    /// - Returns: `false` if no thread is parked.
    package mutating func unpark() -> Bool {
        if parked == 0 { return false }
        parked -= 1
        return true
    }

    // MARK: Growing

    /// Asks whether the pool must be watched from now on: somebody then calls `look`, again and again.
    package mutating func beginWatch() -> Bool {
        if isWatched || !hasWaitingWork { return false }
        isWatched = true
        movesSeen = moves
        return true
    }

    /// Looks at the pool after some time, and adds threads if nothing has moved meanwhile. Ends the watch if no work waits.
    package mutating func look() -> Finding {
        if !hasWaitingWork {
            isWatched = false
            return Finding(work: [], isExhausted: false)
        }
        defer { movesSeen = moves }
        if movesSeen != moves { return Finding(work: [], isExhausted: false) }
        if limit == maximum {
            defer { hasReported = true }
            return Finding(work: [], isExhausted: !hasReported)
        }
        limit = min(limit + width, maximum)
        var work: [Work] = []
        while let next = beginWaiting() { work.append(next) }
        return Finding(work: work, isExhausted: false)
    }

    private mutating func begin() {
        working += 1
        moves &+= 1
    }

    private mutating func beginUrgent(_ work: Work) {
        working += 1
        urgentAtWork.append(work)
    }

    private mutating func beginWaiting() -> Work? {
        if working < urgentLimit, let work = urgent.popFirst() {
            beginUrgent(work)
            return work
        }
        guard working < limit, let work = waiting.popFirst() else { return nil }
        begin()
        return work
    }

    /// Checks the numbered invariants.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "WorkerPoolState"
        try require(
            waiting.isEmpty || working >= limit, in: name, invariant: 1,
            otherwise: "\(waiting.count) wait, \(working) of \(limit) work")
        try require((width...maximum).contains(limit), in: name, invariant: 2, otherwise: "\(limit) threads may work")
        try require(
            !hasWaitingWork || isWatched, in: name, invariant: 3, otherwise: "\(waiting.count) wait, and nobody looks")
        try require(
            urgent.isEmpty || working >= urgentLimit, in: name, invariant: 4,
            otherwise: "\(urgent.count) wait, \(working) work")
    }
}

extension WorkerPoolState: Sendable where Work: Sendable {}
