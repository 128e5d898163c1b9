/// **Value.** What one transaction did to one object.
public struct HistoryChange: Hashable, Sendable {
    /// **Value.** What was done. The numbers are Core Data's.
    public enum ChangeType: Int64, Hashable, Sendable {
        /// The object is new.
        case insert
        /// It has other values or relationships.
        case update
        /// It is gone.
        case delete
    }

    /// The change's number, which counts up in a store.
    public let changeID: Int64
    /// What was done.
    public let changeType: ChangeType
    /// The object; it may be gone by now.
    public let changedObjectID: AnyObjectID
    /// The number of the transaction.
    public let transactionNumber: Int64
    /// Of an update the properties that were set; nil for other changes, and where a file's other writers kept them in a form
    /// that is not known.
    public let updatedProperties: Set<String>?
    /// Of a deletion the values of the attributes that the model wants to be kept: `.preserveValueOnDeletion`.
    public let tombstone: [String: ManagedValue]
}
