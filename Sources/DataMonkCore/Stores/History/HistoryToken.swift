package import Foundation

/// **Value.** A position in the history of a stack's stores: after one transaction of each store.
///
///     defaults.set(try JSONEncoder().encode(token), forKey: "seen")
///
/// To follow a history, keep the token of the last transaction that was processed, and fetch the history after it.
public struct HistoryToken: Hashable, Sendable, Codable {
    /// The number of a transaction for each store identifier.
    private var transactionNumbers: [UUID: Int64]
    /// The identifiers of transactions that have one, by store identifier; `nil` for none, as in tokens of stores in memory and
    /// of files by earlier versions.
    private var transactionIdentifiers: [UUID: UUID]?

    init(_ positions: [UUID: HistoryPosition]) {
        transactionNumbers = positions.mapValues(\.number)
        let identifiers = positions.compactMapValues(\.identifier)
        transactionIdentifiers = identifiers.isEmpty ? nil : identifiers
    }

    /// The positions, by store identifier.
    var positions: [UUID: HistoryPosition] {
        var positions: [UUID: HistoryPosition] = [:]
        for (store, number) in transactionNumbers {
            positions[store] = HistoryPosition(number: number, identifier: transactionIdentifiers?[store])
        }
        return positions
    }

    /// Returns the position after both tokens: the progress of a follower of several stores after a transaction of one of
    /// them.
    public func merging(_ other: HistoryToken) -> HistoryToken {
        HistoryToken(positions.merging(other.positions) { $0.number >= $1.number ? $0 : $1 })
    }
}

/// **Value.** A transaction in one store's history.
package struct HistoryPosition: Hashable, Sendable {
    package let number: Int64
    /// The identifier of the transaction, for stores that may lose it and give its number to another one; `nil` for others. A
    /// file makes it of the number and the time.
    package let identifier: UUID?

    package init(number: Int64, identifier: UUID? = nil) {
        self.number = number
        self.identifier = identifier
    }
}
