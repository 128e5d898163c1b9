/// **Value.** The findings of the audits of a chunk so far.
struct AuditTrail: Sendable {
    /// The number of audits in which a row may leave objects invalid for a later one to make them valid. In the next one,
    /// each row has to leave everything valid, as in a chunk of its own.
    private static let maximumAttempts = 3

    private(set) var attempts = 0
    /// The rows that have left objects invalid, which no later row has made valid.
    private(set) var unhealed: Set<Int> = []
    /// Unique values that other objects have in the store.
    private(set) var taken: Set<UniqueValues> = []

    /// Indicates whether another audit may show more.
    var mayGoOn: Bool { attempts <= Self.maximumAttempts }

    /// Returns `true` if a row fails as soon as it leaves an object invalid.
    func isStrict(_ row: Int) -> Bool { attempts >= Self.maximumAttempts || unhealed.contains(row) }

    /// Returns the trail with what another audit has found.
    func adding(unhealed rows: Set<Int>, taken values: Set<UniqueValues>) -> AuditTrail {
        var copy = self
        copy.attempts += 1
        copy.unhealed.formUnion(rows)
        copy.taken.formUnion(values)
        return copy
    }
}
