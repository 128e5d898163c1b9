/// **Value.** The findings of the audits of a chunk so far.
struct AuditTrail: Sendable {
    /// The number of audits in which a row may leave objects invalid for a later one to make them valid. In the next one,
    /// each row has to leave everything valid, as in a chunk of its own.
    private static let maximumAttempts = 3

    /// The number of rows that an audit begins to watch: their objects are validated after each row. Without the rows that
    /// are found by these, others are watched.
    private static let maximumWatched = 100

    private(set) var attempts = 0
    /// The rows that have left objects invalid, which no later row has made valid.
    private(set) var unhealed: Set<Int> = []
    /// Unique values that other objects have in the store.
    private(set) var taken: Set<UniqueValues> = []
    /// The rows whose objects were valid after them, and are not at the end.
    private(set) var watched: Set<Int> = []

    /// Indicates whether another audit may show more.
    var mayGoOn: Bool { attempts <= Self.maximumAttempts }

    /// Returns `true` if a row fails as soon as it leaves an object invalid.
    func isStrict(_ row: Int) -> Bool { attempts >= Self.maximumAttempts || unhealed.contains(row) }

    /// Returns the trail with what another audit has found.
    func adding(unhealed: Set<Int>, taken: Set<UniqueValues>, watched: Set<Int>) -> AuditTrail {
        var copy = self
        copy.attempts += 1
        copy.unhealed.formUnion(unhealed)
        copy.taken.formUnion(taken)
        copy.watched.formUnion(watched.sorted().prefix(Self.maximumWatched))
        return copy
    }
}
