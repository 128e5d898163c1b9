import DataMonkTesting
import Testing

struct EngineExplorationTests {
    private func explore(_ fault: EngineSimulation.PlantedFault? = nil) -> ExplorationFailure<EngineSimulation.Step>? {
        Exploration(steps: 120) { EngineSimulation(fault: fault) }.run(seeds: 0..<2_000)
    }

    @Test func `no interleaving of three contexts breaks a promise`() {
        let failure = explore()
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test func `a cache that takes an old row is found`() throws {
        let failure = try #require(explore(.cacheTakesOldRow))
        #expect((failure.error as? BrokenPromise)?.number == 1)
    }

    @Test func `a notice before COMMIT is found`() throws {
        let failure = try #require(explore(.noticeBeforeCommit))
        #expect((failure.error as? BrokenPromise)?.number == 2)
    }

    @Test func `a lost wake-up is found`() throws {
        let failure = try #require(explore(.lostWakeUp))
        #expect((failure.error as? BrokenPromise)?.number == 4)
    }

    @Test func `an order broken at an await is found`() throws {
        let failure = try #require(explore(.orderBrokenAtAwait))
        #expect((failure.error as? BrokenPromise)?.number == 5)
    }

    @Test func `a savepoint released twice is found`() throws {
        let failure = try #require(explore(.savepointReleasedTwice))
        #expect((failure.error as? BrokenPromise)?.number == 6)
    }
}
