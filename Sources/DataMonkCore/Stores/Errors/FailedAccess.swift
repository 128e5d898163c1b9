/// **Value.** A read or write of a property that failed where no error could be thrown: the read returned a substitute
/// value, or the write was dropped.
///
///     do {
///         try update.commit()
///     } catch let error as SaveError where error.code == .unreadValues {
///         for access in error.failedAccesses { print(access.objectID, access.cause) }
///         update.rollback()
///     }
///
/// A context remembers failed accesses until its changes are discarded, and refuses to save meanwhile; see
/// ``ManagedObjectContext/disregardFailedReads()``.
public struct FailedAccess: Sendable {
    /// **Value.** The kind of access.
    public enum Kind: Sendable, Hashable {
        /// The value could not be read: the property read as empty.
        case read
        /// The value could not be set: the object is unchanged.
        case write
    }

    /// The kind of access.
    public let kind: Kind
    /// The object.
    public let objectID: AnyObjectID
    /// The property; `nil` if none of the object's values could be read.
    public let propertyName: String?
    /// The cause: a ``StoreError`` if a store failed, a ``FetchError`` if the object no longer exists or has left its
    /// context.
    public let cause: any Error

    package init(_ kind: Kind, of objectID: AnyObjectID, propertyName: String?, cause: any Error) {
        self.kind = kind
        self.objectID = objectID
        self.propertyName = propertyName
        self.cause = cause
    }
}

extension FailedAccess: CustomStringConvertible {
    /// The object, the property and the cause, in words.
    public var description: String {
        let property = propertyName.map { ".\($0)" } ?? ""
        return "\(kind == .read ? "reading" : "setting") \(objectID.entityName)\(property): \(cause)"
    }
}
