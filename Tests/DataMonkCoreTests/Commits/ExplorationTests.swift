import DataMonkTesting
import Testing

struct ExplorationTests {
    /// Counts up and down, and must not reach three.
    private struct Counter: EnumeratedSimulation {
        enum Step: Hashable { case up, down, rest }

        struct TooHigh: Error {}

        var count = 0

        func enabledSteps() -> [Step] { count > 0 ? [.up, .down, .rest] : [.up, .rest] }

        mutating func perform(_ step: Step) {
            switch step {
            case .up: count += 1
            case .down: count -= 1
            case .rest: break
            }
        }

        func check() throws { if count == 3 { throw TooHigh() } }
    }

    @Test func `a failure is shrunk to the steps it needs`() throws {
        let failure = try #require(Exploration(steps: 50) { Counter() }.run(seeds: 0..<100))
        #expect(failure.steps == [.up, .up, .up])
        #expect(failure.description.contains("seed"))
    }

    @Test func `a seed replays the same run`() throws {
        let exploration = Exploration(steps: 50) { Counter() }
        let seed = try #require(exploration.run(seeds: 0..<100)?.seed)
        let first = try #require(exploration.replay(seed: seed))
        let second = try #require(exploration.replay(seed: seed))
        #expect(first.steps == second.steps)
    }

    @Test func `steps that are not enabled are left out of a replay`() throws {
        let steps: [Counter.Step] = [.down, .up, .up, .down, .up, .up]
        let failure = try #require(Exploration(steps: 0) { Counter() }.replay(steps: steps))
        #expect(failure.steps == [.up, .up, .down, .up, .up])
    }
}
