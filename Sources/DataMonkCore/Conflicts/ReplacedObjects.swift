/// **Confined.** Objects that were let go because others have the same unique values, and those that stand for them.
struct ReplacedObjects {
    private var winners: [ManagedObject: ManagedObject] = [:]
    /// By the keys that the objects had when they were replaced, as rows hold them.
    private var losers: [UInt64: ManagedObject] = [:]

    var isEmpty: Bool { winners.isEmpty }

    mutating func add(_ loser: ManagedObject, replacedBy winner: ManagedObject) {
        winners[loser] = winner
        losers[loser.key.rawValue] = loser
    }

    /// The object that stands for `object` in the end: a winner may have lost to another one since. `nil` if the object
    /// was not replaced.
    func winner(of object: ManagedObject) -> ManagedObject? {
        guard var winner = winners[object] else { return nil }
        while let next = winners[winner] { winner = next }
        return winner
    }

    /// The object that stands in the end for the destination of a to-one, given as the word of a row.
    func winner(of word: UInt64) -> ManagedObject? {
        losers[word].flatMap { winner(of: $0) }
    }
}

@available(*, unavailable)
extension ReplacedObjects: Sendable {}
