import Foundation

/// **Value.** A place in the history of a stack's stores: behind one transaction of each.
///
///     defaults.set(try JSONEncoder().encode(token), forKey: "seen")
///
/// Whoever follows a history keeps the token of the last transaction that was taken in, and asks for what came after it.
public struct HistoryToken: Hashable, Sendable, Codable {
    /// The number of a transaction, by the identifier of its store.
    let transactionNumbers: [UUID: Int64]

    init(_ transactionNumbers: [UUID: Int64]) { self.transactionNumbers = transactionNumbers }

    /// The place behind both: what a follower of several stores has taken in after a transaction of one of them.
    public func merging(_ other: HistoryToken) -> HistoryToken {
        HistoryToken(transactionNumbers.merging(other.transactionNumbers) { max($0, $1) })
    }
}
