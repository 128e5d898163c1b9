/// **Confined.** The storage that an object retains for its values and its to-manys: a ``RowBlock``, a ``DraftRow``, or
/// one of them together with to-manys.
///
/// A single reference, because nearly every object has only a stored row, and a word for each of the others would make
/// every object a quarter larger. A common superclass rather than an enum, because access to an enum's payload retains it
/// and checks its type.
///
///     nil  --read-->  block  --first write-->  draft       and back by saves, rollbacks, refreshes
///       \              |                      /
///        +-- first use of a to-many: the same, together with to-manys --+
@usableFromInline
package class ObjectStorage {
    @usableFromInline
    package enum Kind: Sendable {
        /// A ``RowBlock``. It contains the row last received from the store; or the object is a fault, and it has a
        /// ``PartialRow``.
        case stored
        /// A ``DraftRow``: unsaved values, with a reference to the row that they started from.
        case changed
        /// A ``RelatedHoldings``.
        case related
    }

    @usableFromInline package let kind: Kind

    /// - Parameter kind: The kind of the class. It must be right, because casts rely on it.
    init(_ kind: Kind) { self.kind = kind }
}

extension ObjectStorage {
    /// The draft, if this is one.
    @inlinable @inline(__always)
    // Reason for the unsafe cast: the kind determines the class.
    var draft: DraftRow? { kind == .changed ? unsafeDowncast(self, to: DraftRow.self) : nil }
}
