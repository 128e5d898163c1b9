package import DataMonkCore

/// **Value.** The thread that may use what belongs to an executor: the pool's, for one job at a time, or one that holds
/// the executor and runs code of its own.
///
///     free --begin--> job --end, nobody asks to hold--> free
///       |              +----end, somebody does--> held --release--> free
///       +---hold--------------------------------->
///
/// Jobs that come while the executor is held wait until it is released. The type only counts them.
///
/// ## Invariants
/// 1. If jobs wait and the executor is not held, the pool has it: every job will run.
/// 2. While a job runs, the pool has the executor.
/// 3. Somebody waits to hold it only while a job runs.
package struct ExecutorTurns: Sendable {
    /// **Value.** The user of the executor.
    package enum Owner: Sendable {
        case nobody
        case job
        case holder
    }

    /// **Value.** The next step after a job.
    package struct Ending: Sendable {
        /// `true` if the pool keeps the executor, because there are more jobs.
        package let hasMore: Bool
        /// `true` if the thread that waits to hold the executor does so now, and must be woken.
        package let isHeld: Bool
    }

    package private(set) var owner = Owner.nobody
    package private(set) var waitingJobs = 0
    /// Indicates whether the pool has the executor: in its line, or with a thread.
    package private(set) var isWithPool = false
    package private(set) var isHolderWaiting = false

    package init() {}

    /// Indicates whether no job runs or waits.
    var isIdle: Bool { !isWithPool && waitingJobs == 0 }

    /// Adds a job.
    ///
    /// - Returns: `true` if the pool must be given the executor.
    package mutating func enqueue() -> Bool {
        waitingJobs += 1
        return passToPool()
    }

    /// Begins the first job, on a thread of the pool.
    ///
    /// - Returns: `false` if the executor is held. The pool no longer has it then.
    package mutating func begin() -> Bool {
        precondition(isWithPool && owner != .job, "One thread of the pool at a time")
        if owner == .holder || waitingJobs == 0 {
            isWithPool = false
            return false
        }
        waitingJobs -= 1
        owner = .job
        return true
    }

    /// Ends the job.
    package mutating func end() -> Ending {
        precondition(owner == .job, "Only what has begun ends")
        owner = isHolderWaiting ? .holder : .nobody
        isWithPool = !isHolderWaiting && waitingJobs > 0
        defer { isHolderWaiting = false }
        return Ending(hasMore: isWithPool, isHeld: isHolderWaiting)
    }

    /// Requests the executor for a thread that is not the pool's.
    ///
    /// - Returns: `false` if the thread must wait for the end of the running job.
    package mutating func hold() -> Bool {
        precondition(owner != .holder && !isHolderWaiting, "One holder at a time")
        isHolderWaiting = owner == .job
        if !isHolderWaiting { owner = .holder }
        return !isHolderWaiting
    }

    /// Gives up a request.
    ///
    /// - Returns: `false` if it is too late: the executor is held.
    package mutating func cancelHold() -> Bool {
        defer { isHolderWaiting = false }
        return isHolderWaiting
    }

    /// Ends the holding.
    ///
    /// - Returns: `true` if the pool must be given the executor.
    package mutating func release() -> Bool {
        precondition(owner == .holder, "Only the holder can release")
        owner = .nobody
        return passToPool()
    }

    private mutating func passToPool() -> Bool {
        if isWithPool || owner == .holder || waitingJobs == 0 { return false }
        isWithPool = true
        return true
    }

    /// Checks the numbered invariants.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "ExecutorTurns"
        try require(
            waitingJobs == 0 || owner == .holder || isWithPool, in: name, invariant: 1,
            otherwise: "\(waitingJobs) jobs wait for nobody")
        try require(owner != .job || isWithPool, in: name, invariant: 2, otherwise: "A job runs outside of the pool")
        try require(!isHolderWaiting || owner == .job, in: name, invariant: 3, otherwise: "Somebody waits for \(owner)")
    }
}
