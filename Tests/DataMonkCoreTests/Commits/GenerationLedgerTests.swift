import DataMonkCore
import Testing

struct GenerationLedgerTests {
    private var ledger = GenerationLedger<String>(recentCommits: 3)

    private mutating func commit(_ probe: String?) {
        ledger.publish(ledger.announce(probe))
    }

    private func resolve(_ candidates: SnapshotCandidates<String>, visible: Set<String>) -> UInt64? {
        candidates.resolve { visible.contains($0) }?.rawValue
    }

    @Test mutating func `commit n makes generation n`() {
        commit("a")
        let abandoned = ledger.announce("lost")
        ledger.abandon(abandoned)
        commit("b")
        #expect(ledger.published == abandoned)
        #expect(ledger.published.rawValue == 2)
    }

    @Test mutating func `a snapshot opened while nothing was in flight is known exactly`() {
        commit("a")
        guard case .exactly(let generation) = ledger.candidates(openedBetween: ledger.stamp, and: ledger.stamp) else {
            Issue.record("not exact")
            return
        }
        #expect(generation.rawValue == 1)
    }

    @Test mutating func `a commit that ended before the snapshot leaves no doubt`() {
        let generation = ledger.announce("a")
        let before = ledger.stamp
        ledger.abandon(generation)
        #expect(resolve(ledger.candidates(openedBetween: before, and: ledger.stamp), visible: []) == 0)
    }

    @Test mutating func `the newest visible probe names the generation`() {
        let before = ledger.stamp
        commit("a")
        commit("b")
        _ = ledger.announce("c")
        let candidates = ledger.candidates(openedBetween: before, and: ledger.stamp)
        #expect(resolve(candidates, visible: []) == 0)
        #expect(resolve(candidates, visible: ["a"]) == 1)
        // b has overwritten what a is known by.
        #expect(resolve(candidates, visible: ["b"]) == 2)
        #expect(resolve(candidates, visible: ["a", "b", "c"]) == 3)
    }

    @Test mutating func `a commit without a probe hides what is older`() {
        let before = ledger.stamp
        commit("a")
        commit(nil)
        commit("c")
        let candidates = ledger.candidates(openedBetween: before, and: ledger.stamp)
        #expect(resolve(candidates, visible: ["c"]) == 3)
        #expect(resolve(candidates, visible: ["a"]) == nil)
    }

    @Test mutating func `a reader that took too long retries`() {
        let before = ledger.stamp
        for probe in ["a", "b", "c", "d"] { commit(probe) }
        let candidates = ledger.candidates(openedBetween: before, and: ledger.stamp)
        #expect(resolve(candidates, visible: ["b"]) == 2)
        #expect(resolve(candidates, visible: ["a"]) == nil)
    }

    @Test mutating func `the oldest standing follows the contexts`() throws {
        let first = ContextID(rawValue: 1)
        let second = ContextID(rawValue: 2)
        ledger.enter(first, at: .opened)
        commit("a")
        ledger.enter(second, at: ledger.published)
        #expect(ledger.oldestStanding == .opened)
        ledger.advance(first, to: ledger.published)
        #expect(ledger.oldestStanding == ledger.published)
        commit("b")
        ledger.leave(first)
        ledger.leave(second)
        #expect(ledger.oldestStanding == ledger.published)
        try ledger.checkInvariants()
    }

    @Test func `announcing beside a commit in flight is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var ledger = GenerationLedger<String>()
            _ = ledger.announce("a")
            _ = ledger.announce("b")
        }
    }

    @Test func `standing at a commit in flight is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var ledger = GenerationLedger<String>()
            ledger.enter(ContextID(rawValue: 1), at: ledger.announce("a"))
        }
    }
}
