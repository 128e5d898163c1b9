import DataMonk
import DataMonkTesting
import Testing

/// Threads of a pool that begin, end, block and are watched, in any order.
struct WorkerPoolStateTests {
    private struct Pool: EnumeratedSimulation {
        enum Step: Hashable {
            case schedule(isUrgent: Bool), expedite, part, end, block, goOn, look
        }

        struct Idle: Error {}

        var state = WorkerPoolState<Int>(width: 2, maximum: 5)
        var nextWork = 0
        var atWork: [Int] = []
        var blocked: [Int] = []
        var done: Set<Int> = []

        func enabledSteps() -> [Step] {
            var steps: [Step] = [.schedule(isUrgent: false), .schedule(isUrgent: true)]
            if !state.waiting.isEmpty { steps.append(.expedite) }
            if !atWork.isEmpty { steps += [.part, .end, .end, .block] }
            if !blocked.isEmpty { steps.append(.goOn) }
            if state.isWatched { steps += [.look, .look] }
            return steps
        }

        mutating func perform(_ step: Step) throws {
            switch step {
            case .schedule(let isUrgent):
                nextWork += 1
                if state.schedule(nextWork, isUrgent: isUrgent) { begin(nextWork) }
            case .expedite: if let work = state.waiting.last, state.expedite(work) { begin(work) }
            case .part: try next(after: atWork.removeFirst(), hasMore: true)
            case .end:
                let work = atWork.removeFirst()
                done.insert(work)
                try next(after: work, hasMore: false)
            case .block:
                blocked.append(atWork.removeFirst())
                if let work = state.block() { begin(work) }
            case .goOn:
                state.unblock()
                atWork.append(blocked.removeFirst())
            case .look: for work in state.look().work { begin(work) }
            }
            _ = state.beginWatch()
        }

        /// By a parked thread or a new one.
        private mutating func begin(_ work: Int) {
            _ = state.unpark()
            atWork.append(work)
        }

        private mutating func next(after work: Int, hasMore: Bool) throws {
            if case .work(let work) = state.next(after: work, hasMore: hasMore) { atWork.append(work) }
        }

        func check() throws {
            try state.checkInvariants()
            if state.working != atWork.count || state.parked > state.width { throw Idle() }
        }

        /// All work ends, and the limit goes back.
        mutating func settle() throws {
            while !blocked.isEmpty { try perform(.goOn) }
            while !atWork.isEmpty { try perform(.end) }
            if done.count != nextWork || state.limit != state.width { throw Idle() }
            _ = state.look()
            if state.isWatched { throw Idle() }
        }
    }

    @Test func `all work is begun, and the limit goes back`() {
        let failure = Exploration(steps: 60) { Pool() }.run(seeds: 0..<2_000)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test func `threads are added while nothing moves, and the end of that is reported once`() {
        var state = WorkerPoolState<Int>(width: 2, maximum: 5)
        for work in 0..<8 { _ = state.schedule(work) }
        var findings: [WorkerPoolState<Int>.Finding] = []
        let begins = [state.beginWatch(), state.beginWatch()]
        for _ in 0..<4 { findings.append(state.look()) }
        #expect(begins == [true, false])
        #expect(findings.map(\.work) == [[2, 3], [4], [], []])
        #expect(findings.map(\.isExhausted) == [false, false, true, false])
        #expect(state.waiting.count == 3 && state.working == 5)
    }

    @Test func `urgent work has a thread although the maximum works`() {
        var state = WorkerPoolState<Int>(width: 2, maximum: 5)
        for work in 0..<8 { _ = state.schedule(work) }
        _ = state.beginWatch()
        for _ in 0..<3 { _ = state.look() }
        #expect(state.working == 5 && Array(state.waiting) == [5, 6, 7])
        let begun = [state.expedite(7), state.schedule(8, isUrgent: true), state.schedule(9, isUrgent: true)]
        #expect(begun == [true, true, false])
        #expect(state.working == 7 && Array(state.urgent) == [9] && Array(state.waiting) == [5, 6])
        // Then one of those that are more than the maximum ends.
        let isUrgentNext = if case .work(9) = state.next(after: 7, hasMore: false) { true } else { false }
        #expect(isUrgentNext)
    }

    @Test func `threads are added although work is given up again and again`() {
        var state = WorkerPoolState<Int>(width: 2, maximum: 5)
        for work in 0..<3 { _ = state.schedule(work) }
        _ = state.beginWatch()
        _ = state.schedule(3, isUrgent: true)
        _ = state.next(after: 3, hasMore: false)
        #expect(state.look().work == [2])
    }

    @Test func `nothing is added while something moves`() {
        var state = WorkerPoolState<Int>(width: 2, maximum: 5)
        for work in 0..<4 { _ = state.schedule(work) }
        _ = state.beginWatch()
        _ = state.next(after: 0, hasMore: true)
        let first = state.look()
        #expect(first.work.isEmpty && state.limit == 2)
        let second = state.look()
        #expect(second.work.count == 2)
    }
}
