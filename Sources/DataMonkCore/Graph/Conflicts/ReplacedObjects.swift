/// **Confined.** Objects that were removed because others have the same unique values, and the objects that replace them.
struct ReplacedObjects {
    private var winners: [ManagedObject: ManagedObject] = [:]
    /// The replacing objects by the keys that the replaced ones had at that time, in the form used in rows.
    private var losers: [UInt64: ManagedObject] = [:]
    private var formerKeys: [ManagedObject: ObjectKey] = [:]

    var isEmpty: Bool { winners.isEmpty }

    mutating func add(_ loser: ManagedObject, replacedBy winner: ManagedObject) {
        winners[loser] = winner
        losers[loser.key.rawValue] = loser
        formerKeys[loser] = loser.key
    }

    /// Returns the key that a replaced object had; `nil` if the object was not replaced.
    func formerKey(of object: ManagedObject) -> ObjectKey? { formerKeys[object] }

    /// Returns the object that finally replaces `object`: a winner may have lost to another one since. `nil` if the
    /// object was not replaced.
    func winner(of object: ManagedObject) -> ManagedObject? {
        guard var winner = winners[object] else { return nil }
        while let next = winners[winner] { winner = next }
        return winner
    }

    /// Returns the object that finally replaces the destination of a to-one, given as a word of a row.
    func winner(of word: UInt64) -> ManagedObject? {
        losers[word].flatMap { winner(of: $0) }
    }
}

@available(*, unavailable)
extension ReplacedObjects: Sendable {}
