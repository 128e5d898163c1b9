import DataMonkCore
import Testing

@Suite struct LockPatienceTests {
    private struct Missed: ContentionFailure {
        var isContention: Bool { true }
        var isLockTimeout = true
    }

    private let start = ContinuousClock.now

    private func time(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// Returns the patience after misses at some seconds, with a store that repeats writes for 30 seconds.
    private func patience(
        afterMissesAt seconds: Int..., until deadline: ContinuousClock.Instant? = nil, isLockTimeout: Bool = true
    ) -> LockPatience {
        var patience = LockPatience()
        let error = StoreError(
            .timeout, "Others were in the way.", underlyingError: Missed(isLockTimeout: isLockTimeout))
        for second in seconds {
            patience.note(
                error, since: time(second - 1), lockDeadline: deadline, repeatedFor: .seconds(30), at: time(second))
        }
        return patience
    }

    private func isPatient(_ patience: LockPatience, at second: Int) -> Bool {
        var patience = patience
        return patience.isPatient(at: time(second))
    }

    @Test func `patience returns when no lock was missed for some time`() {
        let patience = patience(afterMissesAt: 0, 8)
        #expect(!isPatient(patience, at: 17))
        #expect(isPatient(patience, at: 18))
    }

    @Test func `patience returns after the time for repetitions, whatever is missed until then`() {
        let patience = patience(afterMissesAt: 0, 9, 18, 27)
        #expect(!isPatient(patience, at: 29))
        #expect(isPatient(patience, at: 30))
    }

    @Test func `waits that end at deadlines add up`() {
        #expect(isPatient(patience(afterMissesAt: 1, 3, 5, 7, until: time(0)), at: 7))
        #expect(!isPatient(patience(afterMissesAt: 1, 3, 5, 7, 9, until: time(0)), at: 9))
        // But not for ever.
        #expect(isPatient(patience(afterMissesAt: 1, 3, 5, 7, 40, until: time(0)), at: 40))
    }

    @Test func `a lock that is missed behind a deadline, and other failures, take no patience`() {
        #expect(isPatient(patience(afterMissesAt: 5, until: time(5)), at: 5))
        #expect(!isPatient(patience(afterMissesAt: 5, until: time(6)), at: 5))
        #expect(isPatient(patience(afterMissesAt: 5, isLockTimeout: false), at: 5))
    }
}
