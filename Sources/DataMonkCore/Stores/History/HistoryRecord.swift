package import Foundation

/// **Value.** A transaction as stores record it, with keys instead of ids.
package struct HistoryRecord: Sendable {
    /// **Value.** One change.
    package struct Change: Sendable {
        package var number: Int64
        package let type: HistoryChange.ChangeType
        package let key: ObjectKey
        package let updatedProperties: Set<String>?
        package let tombstone: [String: ManagedValue]

        package init(
            number: Int64, type: HistoryChange.ChangeType, key: ObjectKey, updatedProperties: Set<String>?,
            tombstone: [String: ManagedValue]
        ) {
            self.number = number
            self.type = type
            self.key = key
            self.updatedProperties = updatedProperties
            self.tombstone = tombstone
        }
    }

    package let number: Int64
    /// The identifier, for stores that may lose the transaction and give its number to another one.
    package let identifier: UUID?
    package let timestamp: Date
    package let signature: HistorySignature
    package let bundleID: String?
    package let processID: String?
    package var changes: [Change]

    package init(
        number: Int64, identifier: UUID? = nil, timestamp: Date, signature: HistorySignature, bundleID: String?,
        processID: String?, changes: [Change] = []
    ) {
        self.number = number
        self.identifier = identifier
        self.timestamp = timestamp
        self.signature = signature
        self.bundleID = bundleID
        self.processID = processID
        self.changes = changes
    }
}

/// **Value.** A position in one store's history.
package enum HistoryBound: Sendable {
    case start
    /// After or before a transaction.
    case transaction(HistoryPosition)
    case date(Date)
}
