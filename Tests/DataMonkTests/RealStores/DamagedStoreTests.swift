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

/// What became of a damaged store.
struct DamageOutcome {
    /// What should not have happened; nil if all is well.
    private(set) var problem: String?

    init(of copy: StoreCopy) {
        do {
            problem = try DamageTreatment.problem(of: copy)
            if problem != nil { return }
            let (before, reported) = try Self.read(copy)
            if let strange = reported.first(where: { !Self.isTyped($0) }) {
                problem = "reported \(strange)"
            } else if reported.isEmpty {
                try Self.readAgain(copy, before).map { problem = $0 }
                try Self.edit(copy)
                _ = try Self.read(copy)
            }
        } catch {
            if !Self.isTyped(error) { problem = "threw \(type(of: error)): \(error)" }
        }
    }

    static func isTyped(_ error: any Error) -> Bool {
        error is StoreError || error is ModelError || error is FetchError || error is SaveError
            || error is MigrationError
    }

    private static func read(_ copy: StoreCopy) throws -> (StoreDump, [any Error]) {
        let stack = Stack(model: try copy.model())
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: copy.url, autoMigrating: false, synchronous: .normal)
        let dump = try StoreDump(of: stack)
        try stack.close()
        return (dump, reported.withLock { $0 })
    }

    private static func readAgain(_ copy: StoreCopy, _ before: StoreDump) throws -> String? {
        let differences = try read(copy).0.differences(from: before)
        return differences.isEmpty ? nil : "read differently: \(differences.prefix(3))"
    }

    private static func edit(_ copy: StoreCopy) throws {
        let stack = Stack(model: try copy.model())
        stack.onError { _ in }
        try stack.addDatabaseStore(fileURL: copy.url, autoMigrating: false, synchronous: .normal)
        _ = try StoreEdit.perform(on: stack)
        try stack.close()
    }
}
