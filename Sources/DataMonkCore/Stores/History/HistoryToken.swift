import Foundation

/// **Value.** A position in the history of a stack's stores: after one transaction of each store.
///
///     defaults.set(try JSONEncoder().encode(token), forKey: "seen")
///
/// To follow a history, keep the token of the last transaction that was processed, and fetch the history after it.
public struct HistoryToken: Hashable, Sendable, Codable {
    /// The number of a transaction for each store identifier.
    let transactionNumbers: [UUID: Int64]

    init(_ transactionNumbers: [UUID: Int64]) { self.transactionNumbers = transactionNumbers }

    /// Returns the position after both tokens: the progress of a follower of several stores after a transaction of one of
    /// them.
    public func merging(_ other: HistoryToken) -> HistoryToken {
        HistoryToken(transactionNumbers.merging(other.transactionNumbers) { max($0, $1) })
    }
}
