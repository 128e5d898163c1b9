import DataMonkTesting
import Foundation
import Testing

/// Schedules of three contexts, each step a dozen times over. `DATAMONK_SCHEDULES` asks for more of them.
struct EngineExplorationTests {
    private static let schedules =
        ProcessInfo.processInfo.environment["DATAMONK_SCHEDULES"].flatMap { UInt64($0) } ?? 2_000

    private func exploration(_ fault: EngineSimulation.PlantedFault? = nil) -> Exploration<EngineSimulation> {
        Exploration(steps: 120) { EngineSimulation(fault: fault) }
    }

    private func explore(_ fault: EngineSimulation.PlantedFault) -> ExplorationFailure<EngineSimulation.Step>? {
        exploration(fault).run(seeds: 0..<2_000)
    }

    @Test func `no interleaving of three contexts breaks a promise`() {
        let failure = exploration().run(seeds: 0..<Self.schedules)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test(arguments: EngineSimulation.PlantedFault.allCases)
    func `a seed that found a fault finds it again, by the same steps`(fault: EngineSimulation.PlantedFault) throws {
        let failure = try #require(explore(fault))
        let seed = try #require(failure.seed)
        let first = try #require(exploration(fault).replay(seed: seed))
        let again = try #require(exploration(fault).replay(seed: seed))
        #expect(first.steps == again.steps)
        #expect("\(first.error)" == "\(again.error)")
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

    @Test func `a lost answer taken for a failure is found`() throws {
        let failure = try #require(explore(.lostAnswerTakenForFailure))
        #expect((failure.error as? BrokenPromise)?.number == 6)
    }
}
