import DataMonkCore
import Testing

struct StoreCommitTests {
    private struct Failure: Error {}

    private var ledger = GenerationLedger<Int>()
    private var cache = RowCache<SimulatedRow>(capacity: 8)

    /// A commit of one kept member, announced.
    private mutating func announced(stores: Int = 1, partSize: Int = 2) -> StoreCommit {
        var commit = StoreCommit(memberCount: 1, partSize: partSize)
        commit.beginMember()
        commit.keep()
        commit.announce(7, stores: stores, in: &ledger)
        return commit
    }

    /// Publishes a commit that is in the stores, and returns the steps that it took.
    private mutating func publish(_ commit: inout StoreCommit, rowCount: Int) -> [StoreCommit.Step] {
        var steps: [StoreCommit.Step] = []
        while let step = commit.next {
            steps.append(step)
            switch step {
            case .note: commit.note(rowCount: rowCount)
            case .addRows: commit.addRows(to: &cache) { _ in }
            default: commit.publish(in: &ledger)
            }
        }
        return steps
    }

    private func isCommitted(_ commit: StoreCommit) -> Bool {
        if case .committed(ledger.published)? = commit.outcome { return true }
        return false
    }

    private func isFailed(_ commit: StoreCommit) -> Bool {
        if case .failed(is Failure)? = commit.outcome { return true }
        return false
    }

    private func isUnknown(_ commit: StoreCommit) -> Bool {
        if case .unknown? = commit.outcome { return true }
        return false
    }

    @Test mutating func `members are written in order, then committed`() throws {
        var commit = StoreCommit(memberCount: 2)
        #expect(commit.next == .write(0))
        commit.beginMember()
        commit.undo()
        #expect(commit.next == .write(1))
        commit.beginMember()
        commit.keep()
        #expect(commit.next == .announce)
        commit.announce(7, stores: 1, in: &ledger)
        #expect(commit.next == .commit(0))
        commit.didCommit()
        #expect(publish(&commit, rowCount: 2) == [.note, .addRows(0..<2), .publish])
        try commit.checkInvariants()
        #expect(isCommitted(commit))
        #expect(ledger.published == Generation.opened.next)
    }

    @Test mutating func `the rows of a large commit follow its publication`() {
        var commit = announced()
        commit.didCommit()
        let steps = publish(&commit, rowCount: 3)
        #expect(steps == [.note, .addRows(0..<0), .publish, .addRows(0..<2), .addRows(2..<3)])
        #expect(!cache.isPublishing)
    }

    @Test mutating func `a commit that kept no member is rolled back`() {
        var commit = StoreCommit(memberCount: 1)
        commit.beginMember()
        commit.undo()
        #expect(commit.next == .rollBack)
        commit.rollBack(in: &ledger)
        #expect(commit.next == nil)
        #expect(commit.outcome == nil)
    }

    @Test mutating func `a refused COMMIT gives up its number`() {
        var commit = announced()
        commit.fail(Failure(), leaving: .transaction)
        #expect(commit.next == .rollBack)
        commit.rollBack(in: &ledger)
        #expect(isFailed(commit))
        #expect(commit.next == nil)
        #expect(!commit.hasFallen)
        #expect(ledger.stamp == GenerationStamp(published: .opened, inFlight: nil, abandonCount: 1))
    }

    @Test mutating func `a transaction that fell is written again`() {
        var commit = StoreCommit(memberCount: 2)
        commit.beginMember()
        commit.fail(Failure(), leaving: .nothing)
        #expect(commit.next == .rollBack)
        commit.rollBack(in: &ledger)
        #expect(commit.next == nil)
        #expect(commit.hasFallen)
    }

    @Test mutating func `a commit that is in one store of two is published`() {
        var commit = announced(stores: 2)
        commit.didCommit()
        #expect(commit.next == .commit(1))
        commit.fail(Failure(), leaving: .nothing)
        #expect(commit.committedCount == 1)
        #expect(!commit.hasFallen)
        #expect(publish(&commit, rowCount: 0) == [.note, .addRows(0..<0), .publish])
        #expect(isCommitted(commit))
    }

    @Test mutating func `a commit without an answer is published, and nothing is known of it`() {
        let before = ledger.stamp
        var commit = announced()
        commit.fail(Failure(), leaving: .unknown)
        #expect(commit.isOfUnknownChanges)
        #expect(publish(&commit, rowCount: 0) == [.note, .addRows(0..<0), .publish])
        #expect(isUnknown(commit))
        // The probe may be false in the generation that it was to be the probe of.
        let candidates = ledger.candidates(openedBetween: before, and: ledger.stamp)
        #expect(candidates.resolve { _ in true } == nil)
    }

    @Test mutating func `a commit of another process is published when it is found`() {
        var commit = StoreCommit(memberCount: 0)
        #expect(commit.next == .announce)
        commit.announce(nil, in: &ledger)
        #expect(commit.isOfUnknownChanges)
        #expect(publish(&commit, rowCount: 0) == [.note, .addRows(0..<0), .publish])
        #expect(isCommitted(commit))
    }

    @Test func `releasing a savepoint twice is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var commit = StoreCommit(memberCount: 2)
            commit.beginMember()
            commit.keep()
            commit.keep()
        }
    }

    @Test func `announcing before all were written is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var ledger = GenerationLedger<Int>()
            var commit = StoreCommit(memberCount: 1)
            commit.announce(nil, in: &ledger)
        }
    }

    @Test func `publishing before the rows are in the cache is misuse`() async {
        await #expect(processExitsWith: .failure) {
            var ledger = GenerationLedger<Int>()
            var commit = StoreCommit(memberCount: 0)
            commit.announce(nil, in: &ledger)
            commit.note(rowCount: 0)
            commit.publish(in: &ledger)
        }
    }
}
