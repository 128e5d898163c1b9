import DataMonk
import DataMonkFixtures
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// Stores with damage of every kind are refused or read; nothing traps, nothing hangs.
///
/// Each round takes a copy of a store that Core Data wrote, damages it, examines, repairs and salvages it, and then opens,
/// reads, edits and reads again. What
/// is thrown must be an error of ours, and what was read must be read again. Rounds run in processes of their own, so that a
/// trap or a hang is found and told with its seed and number. DATAMONK_DAMAGED_STORES sets how many there are;
/// DATAMONK_DAMAGE=SEED/NUMBER repeats one in this process.
@Suite(.requiresFixtures("stores", "more-stores"))
struct `A damaged store` {
    private static let perProcess = 25

    private static let repeated: [UInt64]? =
        ProcessInfo.processInfo.environment["DATAMONK_DAMAGE"]?.split(separator: "/").compactMap { UInt64($0) }

    @Test(.enabled(if: repeated?.count == 2)) func `is damaged once more`() throws {
        let numbers = try #require(Self.repeated)
        let folder = try TemporaryFolder()
        let rounds = DamageRounds(
            seed: numbers[0], first: Int(numbers[1]), count: 1, report: folder.file("report"))
        try rounds.run()
        #expect(rounds.lastReport == "done")
    }

    /// Rounds that found something once: rows on a page whose keys are out of order, which were not looked for; an entity
    /// that both lists of entities did not have any more; one that the store's own model did not have any more.
    @Test(arguments: [(203_048, 185), (167_720, 83), (309_283, 7)])
    func `is damaged as it was when something was lost`(seed: Int, round: Int) async throws {
        let folder = try TemporaryFolder()
        let rounds = DamageRounds(seed: UInt64(seed), first: round, count: 1, report: folder.file("report"))
        await expectSuccess(of: rounds)
    }

    @Test(.enabled(if: repeated == nil)) func `is an error or is read, never a trap`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let asked = environment["DATAMONK_DAMAGED_STORES"].flatMap { Int($0) }
        let count = asked ?? 100
        // A usual run damages the same bytes each time.
        let seed: UInt64 = asked == nil ? 1 : .random(in: 1...1_000_000)
        print("Damage to \(count) stores, seed \(seed)")
        let folder = try TemporaryFolder()
        for first in stride(from: 0, to: count, by: Self.perProcess) {
            let rounds = DamageRounds(
                seed: seed, first: first, count: min(Self.perProcess, count - first), report: folder.file("report"))
            await expectSuccess(of: rounds)
        }
    }

    private func expectSuccess(of rounds: DamageRounds) async {
        let (seed, first) = (rounds.seed, rounds.first)
        await #expect(processExitsWith: .success, "seed \(seed), rounds from \(first): \(rounds.lastReport)") {
            [rounds = rounds as DamageRounds] in
            try rounds.run()
        }
        if rounds.lastReport != "done" { Issue.record("seed \(seed): \(rounds.lastReport)") }
    }
}

/// Some rounds of damage, for one process.
struct DamageRounds: Codable, Sendable {
    let seed: UInt64
    let first: Int
    let count: Int
    /// Where the process says what it is at.
    let report: URL

    var lastReport: String { (try? String(contentsOf: report, encoding: .utf8)) ?? "nothing" }  // None was made yet.

    func run() throws {
        for number in first..<first + count {
            // A hang ends the process.
            alarm(120)
            var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
            let path = StoreCopy.paths[number % StoreCopy.paths.count]
            let copy = try StoreCopy(of: path)
            let damage = StoreDamage.allCases[(number / StoreCopy.paths.count) % StoreDamage.allCases.count]
            let place = "round \(number): \(damage) in \(path)"
            try say(place)
            try damage.inflict(on: copy, using: &random)
            let outcome = DamageOutcome(of: copy)
            if let problem = outcome.problem {
                try say("\(place): \(problem)")
                return
            }
        }
        try say("done")
    }

    private func say(_ text: String) throws { try Data(text.utf8).write(to: report) }
}
