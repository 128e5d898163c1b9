/// **Confined.** The storage of an object after the first use of one of its to-manys.
@usableFromInline
final class RelatedHoldings: ObjectStorage {
    /// `nil`, or storage of another kind.
    @exclusivity(unchecked)  // Confined; each access is one load or store.
    var values: ObjectStorage?
    /// The to-manys; never empty.
    @exclusivity(unchecked)  // As above.
    var toManys: ContiguousArray<ToManyRelation>

    init(_ toManys: ContiguousArray<ToManyRelation>, beside values: ObjectStorage?) {
        self.toManys = toManys
        self.values = values
        super.init(.related)
    }
}

@available(*, unavailable)
extension RelatedHoldings: Sendable {}

extension ObjectStorage {
    // Reason for the unsafe casts: as at `draft`.

    @usableFromInline
    var related: RelatedHoldings? { kind == .related ? unsafeDowncast(self, to: RelatedHoldings.self) : nil }

    /// The block that contains the stored row.
    fileprivate var storedBlock: RowBlock? {
        kind == .stored ? unsafeDowncast(self, to: RowBlock.self) : draft?.base?.block
    }
}

extension ManagedObject {
    /// The unsaved values, if there are any.
    @inlinable @inline(__always)
    final nonisolated var draft: DraftRow? {
        guard let objectStorage else { return nil }
        if let draft = objectStorage.draft { return draft }
        return objectStorage.kind == .related ? draftBesideToManys : nil
    }

    @inline(never)
    @usableFromInline
    final nonisolated var draftBesideToManys: DraftRow? { values?.draft }

    /// The block that contains the row last received from the store; for a fault `nil`, or a block with a ``PartialRow``.
    final nonisolated var block: RowBlock? { values?.storedBlock }

    /// The to-manys that have been used.
    final nonisolated var toManys: ContiguousArray<ToManyRelation> {
        get { objectStorage?.related?.toManys ?? [] }
        set {
            guard let related = objectStorage?.related else {
                if !newValue.isEmpty { objectStorage = RelatedHoldings(newValue, beside: objectStorage) }
                return
            }
            if newValue.isEmpty { objectStorage = related.values } else { related.toManys = newValue }
        }
    }

    /// Indicates whether a to-many has been used.
    @inline(__always)
    final nonisolated var hasToManys: Bool { objectStorage?.kind == .related }

    /// The storage without the to-manys.
    private final nonisolated var values: ObjectStorage? {
        get {
            guard let related = objectStorage?.related else { return objectStorage }
            return related.values
        }
        set {
            if let related = objectStorage?.related { related.values = newValue } else { objectStorage = newValue }
        }
    }

    // MARK: The values

    /// Makes `row` the object's values. The object is then clean and not a fault.
    package final nonisolated func adopt(_ row: Row) {
        values = row.block
        self.row = row.pointer
        if state.contains(.indexed) { noteUnsavedValues() }
    }

    /// Makes `draft` the object's values, which are unsaved.
    final nonisolated func adopt(_ draft: DraftRow) {
        values = draft
        row = UnsafeRawPointer(draft.row)
        if state.contains(.indexed) { noteUnsavedValues() }
    }

    /// Turns the object into a fault of which some values or none are known.
    final nonisolated func dropValues(but partial: PartialRow? = nil) {
        values = partial.map(PartialBlock.init)
        row = nil
        if state.contains(.indexed) { noteUnsavedValues() }
    }

    /// Records for fetches over unsaved changes that the object's values were replaced, or changed in a draft that was not
    /// obtained by `writableDraft`.
    @inline(never)
    final nonisolated func noteUnsavedValues() { home.context?.work.valueIndexes.noteChange(of: self) }
}

extension ManagedObject {
    /// Returns the row with a fault's value of a slot, or `nil` if that value was not fetched.
    final nonisolated func partialRow(holding slot: Int) -> UnsafeRawPointer? {
        guard row == nil, let partial = block?.partial, partial.slots.contains(slot) else { return nil }
        return partial.row.pointer
    }

    /// Discards the values of a fault, because its row has changed.
    final nonisolated func dropPartialRow() {
        if row == nil { dropValues() }
    }
}
