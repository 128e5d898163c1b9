/// **Value.** A read or a write of a property that failed where no error could be thrown: the read was answered with a
/// substitute, or the write was dropped.
///
///     do {
///         try update.commit()
///     } catch let error as SaveError where error.code == .unreadValues {
///         for access in error.failedAccesses { print(access.objectID, access.cause) }
///         update.rollback()
///     }
///
/// A context remembers these until its changes are taken back, and saves nothing meanwhile; see
/// ``ManagedObjectContext/disregardFailedReads()``.
public struct FailedAccess: Sendable {
    /// **Value.** What failed.
    public enum Kind: Sendable, Hashable {
        /// The value could not be read: the property read as empty.
        case read
        /// The value could not be set: the object is as it was.
        case write
    }

    /// What failed.
    public let kind: Kind
    /// The object.
    public let objectID: AnyObjectID
    /// The property; `nil` if all values of the object could not be read.
    public let propertyName: String?
    /// Why: a ``StoreError`` if a store failed, a ``FetchError`` if the object is gone or has left its context.
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
