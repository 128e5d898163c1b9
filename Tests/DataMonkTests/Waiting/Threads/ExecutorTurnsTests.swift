import DataMonk
import DataMonkTesting
import Testing

/// Jobs and a thread that holds their executor, in any order.
struct ExecutorTurnsTests {
    private struct Executor: EnumeratedSimulation {
        enum Step: Hashable { case enqueue, begin, end, hold, cancel, release }

        struct Violation: Error, CustomStringConvertible {
            let description: String
        }

        var turns = ExecutorTurns()
        /// The number of times that the pool has it, waiting or with a thread.
        var inPool = 0
        var jobs = 0
        var isRunning = false
        var isHeld = false
        var isAsking = false

        func enabledSteps() -> [Step] {
            var steps: [Step] = [.enqueue]
            if inPool > 0 && !isRunning { steps.append(.begin) }
            if isRunning { steps.append(.end) }
            // One step at a time passes the gate.
            if !isHeld && !isAsking { steps.append(.hold) }
            if isAsking { steps.append(.cancel) }
            if isHeld { steps.append(.release) }
            return steps
        }

        mutating func perform(_ step: Step) {
            switch step {
            case .enqueue:
                jobs += 1
                if turns.enqueue() { inPool += 1 }
            case .begin:
                isRunning = turns.begin()
                if isRunning { jobs -= 1 } else { inPool -= 1 }
            case .end:
                isRunning = false
                let ending = turns.end()
                if !ending.hasMore { inPool -= 1 }
                if ending.isHeld { (isAsking, isHeld) = (false, true) }
            case .hold: if turns.hold() { isHeld = true } else { isAsking = true }
            case .cancel: if turns.cancelHold() { isAsking = false }
            case .release:
                isHeld = false
                if turns.release() { inPool += 1 }
            }
        }

        func check() throws {
            try turns.checkInvariants()
            if isRunning && isHeld { throw Violation(description: "A job runs while the executor is held") }
            if inPool > 1 { throw Violation(description: "The pool has it twice") }
            if turns.isHolderWaiting != isAsking { throw Violation(description: "A thread is forgotten") }
        }

        mutating func settle() throws {
            while isRunning || isHeld || inPool > 0 { perform(isRunning ? .end : isHeld ? .release : .begin) }
            if jobs > 0 || isAsking { throw Violation(description: "\(jobs) jobs never run") }
        }
    }

    @Test func `every job runs, and none while the executor is held`() {
        let failure = Exploration(steps: 60) { Executor() }.run(seeds: 0..<2_000)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }
}
