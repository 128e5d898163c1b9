/// **Value.** Runs a simulation through random interleavings, each determined by its seed.
///
///     let exploration = Exploration(steps: 150) { EngineSimulation() }
///     if let failure = exploration.run(seeds: 0..<2_000) { print(failure) }    // the seed and a short list of steps
///     exploration.replay(seed: 1_374)                                          // the whole run again
package struct Exploration<System: Simulation> {
    package typealias Failure = ExplorationFailure<System.Step>

    private let stepCount: Int
    private let make: () throws -> System

    /// Creates an exploration.
    ///
    /// - Parameters:
    ///   - steps: The number of random steps in a run before the system is brought to rest.
    ///   - make: Creates the system in its initial state.
    package init(steps: Int, make: @escaping () throws -> System) {
        stepCount = steps
        self.make = make
    }

    /// Runs every seed until one fails.
    ///
    /// - Returns: The failing run with its steps shrunk, or `nil` if every run succeeded.
    package func run(seeds: Range<UInt64>) -> Failure? {
        for seed in seeds {
            if let failure = replay(seed: seed) { return shrink(failure) }
        }
        return nil
    }

    /// Runs one seed.
    package func replay(seed: UInt64) -> Failure? {
        var random = SeededGenerator(seed: seed)
        var remaining = stepCount
        return run(seed: seed) { system in
            if remaining == 0 { return nil }
            remaining -= 1
            return system.randomStep(using: &random)
        }
    }

    /// Runs a list of steps, skipping those that are not enabled when their turn comes.
    package func replay(steps: [System.Step]) -> Failure? {
        var remaining = steps[...]
        return run(seed: nil) { system in
            while let step = remaining.popFirst() {
                if system.isEnabled(step) { return step }
            }
            return nil
        }
    }

    private func run(seed: UInt64?, choose: (System) -> System.Step?) -> Failure? {
        var taken: [System.Step] = []
        var isUnsettled = false
        do {
            var system = try make()
            while let step = choose(system) {
                taken.append(step)
                try system.perform(step)
                try system.check()
            }
            isUnsettled = true
            try system.settle()
            return nil
        } catch {
            return Failure(seed: seed, steps: taken, isUnsettled: isUnsettled, error: error)
        }
    }

    /// Removes steps as long as the remaining ones still fail: halves first, single steps last.
    private func shrink(_ failure: Failure) -> Failure {
        var best = failure
        var length = max(best.steps.count / 2, 1)
        while true {
            var isShorter = false
            var start = 0
            while start < best.steps.count {
                var shorter = best.steps
                shorter.removeSubrange(start..<min(start + length, shorter.count))
                if let found = replay(steps: shorter), found.steps.count < best.steps.count {
                    best = found
                    isShorter = true
                } else {
                    start += length
                }
            }
            if length == 1 && !isShorter { break }
            length = max(length / 2, 1)
        }
        return Failure(seed: failure.seed, steps: best.steps, isUnsettled: best.isUnsettled, error: best.error)
    }
}
