/// **Value.** A change of one object by one transaction.
public struct HistoryChange: Hashable, Sendable {
    /// **Value.** The kind of a change, with Core Data's numbers.
    public enum ChangeType: Int64, Hashable, Sendable {
        /// The object was inserted.
        case insert
        /// The object's values or relationships were changed.
        case update
        /// The object was deleted.
        case delete
    }

    /// The number of the change, ascending within a store.
    public let changeID: Int64
    /// The kind of the change.
    public let changeType: ChangeType
    /// The id of the object, which may have been deleted since.
    public let changedObjectID: AnyObjectID
    /// The number of the transaction.
    public let transactionNumber: Int64
    /// For an update, the properties that were set; `nil` for other changes, and if another writer of the file recorded them
    /// in an unknown form.
    public let updatedProperties: Set<String>?
    /// For a deletion, the values of the attributes that the model marks with `.preserveValueOnDeletion`.
    public let tombstone: [String: ManagedValue]
}
