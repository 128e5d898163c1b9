import DataMonkCore
import Foundation
import Testing

/// Threads meet at wake-ups, never by sleeping.
@Suite struct `CommitQueue Concurrency` {
    private typealias Queue = CommitQueue<Int, String>

    private struct Refused: Error {}

    /// What the threads of a test report, in the order of the store's transactions.
    private let written = Locked<[[Int]]>([])

    private func start(_ body: @escaping @Sendable () throws -> String) -> Wakeup<Result<String, any Error>> {
        let ended = Wakeup<Result<String, any Error>>()
        Thread { ended.wake(with: Result(catching: body)) }.start()
        return ended
    }

    private func write(_ changes: [Int], lockDeadline: ContinuousClock.Instant?) -> Queue.Written {
        written.withLock { $0.append(changes) }
        return .finished(changes.map { .success("wrote \($0)") })
    }

    /// Starts a commit whose transaction stays open until `proceed` comes; returns when the transaction is open.
    private func lead(
        _ queue: Queue, _ change: Int, until proceed: Wakeup<Void>
    ) -> Wakeup<Result<String, any Error>> {
        let isOpen = Wakeup<Void>()
        let written = written
        let ended = start {
            try queue.commit(change) { changes, _ in
                isOpen.wake(with: ())
                proceed.wait()
                written.withLock { $0.append(changes) }
                return .finished(changes.map { .success("wrote \($0)") })
            }
        }
        isOpen.wait()
        return ended
    }

    /// Blocks until as many commits wait. The queue tells nobody of arrivals, so it has to be asked.
    private func waitForArrivals(_ count: Int, in queue: Queue) {
        while queue.waitingCount < count { sched_yield() }
    }

    @Test func `commits that wait for each other in two queues end`() {
        let queues = (0..<2).map { _ in Queue(patience: .milliseconds(50)) }
        let areOpen = (0..<2).map { _ in Wakeup<Void>() }
        let ends = (0..<2).map { index in
            start {
                try queues[index].commit(index) { _, _ in
                    areOpen[index].wake(with: ())
                    areOpen[1 - index].wait()
                    return .finished([Result { try queues[1 - index].commit(index, write: self.write) }])
                }
            }
        }
        let codes = ends.map { end -> SaveError.Code? in
            guard case .failure(let error as SaveError) = end.wait() else { return nil }
            return error.code
        }
        // When the first one has given up, the other one may still have its turn.
        #expect(codes.contains(.deadlinePassed))
    }

    @Test func `commits that come while one is written share a transaction`() throws {
        let queue = Queue()
        let proceed = Wakeup<Void>()
        let first = lead(queue, 1, until: proceed)
        var others: [Wakeup<Result<String, any Error>>] = []
        for change in 2...4 {
            others.append(start { try queue.commit(change, write: write) })
            waitForArrivals(change - 1, in: queue)
        }
        proceed.wake(with: ())
        #expect(try first.wait().get() == "wrote 1")
        #expect(try others.map { try $0.wait().get() } == ["wrote 2", "wrote 3", "wrote 4"])
        #expect(written.withLock { $0 } == [[1], [2, 3, 4]])
    }

    @Test func `each member gets its own outcome`() throws {
        let queue = Queue()
        let proceed = Wakeup<Void>()
        let first = lead(queue, 1, until: proceed)
        let leader = start {
            try queue.commit(2) { changes, _ in
                .finished(changes.map { $0 == 3 ? .failure(Refused()) : .success("\($0)") })
            }
        }
        waitForArrivals(1, in: queue)
        let follower = start { try queue.commit(3, write: write) }
        waitForArrivals(2, in: queue)
        proceed.wake(with: ())
        _ = first.wait()
        #expect(try leader.wait().get() == "2")
        #expect(throws: Refused.self) { try follower.wait().get() }
    }

    @Test func `members of a transaction that fell run alone`() throws {
        let queue = Queue()
        let proceed = Wakeup<Void>()
        let first = lead(queue, 1, until: proceed)
        let written = written
        let leader = start {
            try queue.commit(2) { changes, _ in
                written.withLock { $0.append(changes) }
                if changes.count > 1 || changes == [3] { return .fell(Refused()) }
                return .finished([.success("alone")])
            }
        }
        waitForArrivals(1, in: queue)
        let follower = start { try queue.commit(3, write: write) }
        waitForArrivals(2, in: queue)
        proceed.wake(with: ())
        _ = first.wait()
        #expect(try leader.wait().get() == "alone")
        #expect(throws: Refused.self) { try follower.wait().get() }
        #expect(written.withLock { $0 } == [[1], [2, 3], [2], [3]])
    }

    // MARK: Other processes

    /// **Value.** An error of a store whose transaction met other processes' transactions.
    private struct Contended: ContentionFailure {
        var isContention: Bool { true }
        let isLockTimeout: Bool

        var error: StoreError { StoreError(.timeout, "Others were in the way.", underlyingError: self) }
    }

    /// Commits a change that others are always in the way of, and returns the deadlines for locks that it was written with.
    private func lockDeadlines(
        _ failure: Contended, repeatedFor duration: Duration, until deadline: ContinuousClock.Instant? = nil
    ) -> [ContinuousClock.Instant?] {
        var deadlines: [ContinuousClock.Instant?] = []
        #expect(throws: StoreError.self) {
            try Queue().commit(1, deadline: deadline) { _, lockDeadline in
                deadlines.append(lockDeadline)
                return .fell(failure.error, repeatedFor: duration)
            }
        }
        return deadlines
    }

    @Test(arguments: [(false, 6), (true, 2)])
    func `a commit that others are in the way of is repeated, once if it waits for locks`(
        isLockTimeout: Bool, count: Int
    ) {
        let deadlines = lockDeadlines(Contended(isLockTimeout: isLockTimeout), repeatedFor: .seconds(3_600))
        #expect(deadlines.count == count && deadlines[0] == nil)
        // After a wait for a lock in vain, it waits for a moment.
        #expect(deadlines.dropFirst().allSatisfy { ($0 ?? .now > .now) != isLockTimeout })
    }

    @Test(arguments: [true, false])
    func `after the time for repetitions, or its own deadline, a commit is written once`(hasDeadline: Bool) {
        let deadlines = lockDeadlines(
            Contended(isLockTimeout: false), repeatedFor: hasDeadline ? .seconds(3_600) : .zero,
            until: hasDeadline ? .now : nil)
        #expect(deadlines.count == 2 && deadlines[1] ?? .now <= .now)
    }

    /// Commits the changes 1, 2 and 3: the first one alone, and the others together, in a transaction that falls.
    private func redo(
        in queue: Queue, after failure: Contended,
        _ writeAlone: @escaping @Sendable (_ change: Int, _ lockDeadline: ContinuousClock.Instant?) -> Queue.Written
    ) -> [Wakeup<Result<String, any Error>>] {
        let proceed = Wakeup<Void>()
        let first = lead(queue, 0, until: proceed)
        let ends = (1...3).map { change in
            let end = start {
                try queue.commit(change) { changes, lockDeadline in
                    if changes.count > 1 { return .fell(failure.error, repeatedFor: .seconds(3_600)) }
                    return writeAlone(changes[0], lockDeadline)
                }
            }
            waitForArrivals(change, in: queue)
            return end
        }
        proceed.wake(with: ())
        _ = first.wait()
        return ends
    }

    @Test func `a change of a transaction that fell has its outcome before the next one is written`() throws {
        let queue = Queue()
        let (isWritten, isTold) = (Wakeup<Void>(), Wakeup<Bool>())
        let ends = redo(in: queue, after: Contended(isLockTimeout: false)) { change, _ in
            if change < 3 { return .finished([.success("\(change)")]) }
            isWritten.wake(with: ())
            return .finished([.success("\(isTold.wait(until: .now + .seconds(120)) == true)")])
        }
        isWritten.wait()
        #expect(try ends[1].wait(until: .now + .seconds(60))?.get() == "2")
        isTold.wake(with: true)
        #expect(try ends[0].wait().get() == "1")
        #expect(try ends[2].wait().get() == "true")
    }

    @Test func `changes of a transaction that fell wait in vain for one lock among all`() throws {
        let queue = Queue()
        let waiting = Locked<[Int]>([])
        let ends = redo(in: queue, after: Contended(isLockTimeout: false)) { change, lockDeadline in
            if lockDeadline.map({ $0 > .now }) ?? true { waiting.withLock { $0.append(change) } }
            return .fell(Contended(isLockTimeout: true).error, repeatedFor: .seconds(3_600))
        }
        for end in ends { #expect(throws: StoreError.self) { try end.wait().get() } }
        #expect(waiting.withLock { $0 } == [1])
    }

    @Test(arguments: [true, false])
    func `changes that come after a wait in vain wait for a moment, for some time`(isOver: Bool) throws {
        let queue = Queue()
        #expect(throws: StoreError.self) {
            try queue.commit(1) { _, _ in
                .fell(Contended(isLockTimeout: true).error, repeatedFor: isOver ? .zero : .seconds(3_600))
            }
        }
        let deadlines = Locked<[ContinuousClock.Instant?]>([])
        for change in 2...3 {
            _ = try queue.commit(change) { changes, lockDeadline in
                deadlines.withLock { $0.append(lockDeadline) }
                return .finished([.success("done")])
            }
        }
        #expect(deadlines.withLock { $0.allSatisfy { isOver == ($0.map { $0 > .now } ?? true) } })
    }

    @Test(arguments: [true, false])
    func `a wait for a lock that the change's own deadline has ended makes no others impatient`(isShort: Bool) throws {
        let queue = Queue()
        let time: Duration = isShort ? .milliseconds(200) : .seconds(3_600)
        let deadline = ContinuousClock.now + time
        #expect(throws: StoreError.self) {
            try queue.commit(1, deadline: deadline) { _, _ in
                while isShort, deadline > .now { sched_yield() }
                return .fell(Contended(isLockTimeout: true).error, repeatedFor: .seconds(3_600))
            }
        }
        var lockDeadline: ContinuousClock.Instant?
        _ = try queue.commit(2) { _, deadline in
            lockDeadline = deadline
            return .finished([.success("done")])
        }
        #expect((lockDeadline == nil) == isShort)
    }

    @Test func `lone work waits for its turn, is done by its own thread, and shares no transaction`() throws {
        let queue = Queue()
        let proceed = Wakeup<Void>()
        let first = lead(queue, 1, until: proceed)
        let written = written
        let lone = start {
            let thread = Thread.current
            return try queue.commitAlone {
                written.withLock { $0.append([2]) }
                return Thread.current === thread ? "by itself" : "by another"
            }
        }
        waitForArrivals(1, in: queue)
        let last = start { try queue.commit(3, write: write) }
        waitForArrivals(2, in: queue)
        proceed.wake(with: ())
        #expect(try first.wait().get() == "wrote 1")
        #expect(try lone.wait().get() == "by itself")
        #expect(try last.wait().get() == "wrote 3")
        #expect(written.withLock { $0 } == [[1], [2], [3]])
    }

    @Test func `lone work that fails leaves the queue free`() throws {
        let queue = Queue()
        #expect(throws: Refused.self) { try queue.commitAlone { throw Refused() } }
        #expect(try queue.commit(1, write: write) == "wrote 1")
    }

    @Test func `a deadline ends the waiting`() {
        let queue = Queue()
        let proceed = Wakeup<Void>()
        let first = lead(queue, 1, until: proceed)
        #expect(throws: SaveError.self) {
            try queue.commit(2, deadline: .now, write: write)
        }
        proceed.wake(with: ())
        _ = first.wait()
        #expect(queue.waitingCount == 0)
    }

    @Test func `many threads commit each once`() throws {
        let queue = Queue(batchLimit: 5)
        let threads = (0..<8).map { thread in
            start {
                for round in 0..<100 {
                    let change = thread * 100 + round
                    let deadline = round % 10 == 9 ? ContinuousClock.now : nil
                    do {
                        let receipt = try queue.commit(change, deadline: deadline, write: write)
                        #expect(receipt == "wrote \(change)")
                    } catch is SaveError {
                        written.withLock { $0.append([change]) }
                    }
                }
                return "done"
            }
        }
        for thread in threads { #expect(try thread.wait().get() == "done") }
        let all = written.withLock { $0 }.flatMap { $0 }
        #expect(all.sorted() == Array(0..<800))
    }
}
