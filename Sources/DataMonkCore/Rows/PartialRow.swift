/// **Value.** Some values of a fault's row: what a fetch of certain properties alone leaves in the fault's block.
///
/// The object stays a fault. A read of one of the slots finds it here; any other access reads the whole row, whose block
/// then stands in this one's place.
struct PartialRow: Sendable {
    /// Only the values of `slots` are the row's.
    let row: Row
    let slots: SlotSet
}

extension ManagedObject {
    /// The row with a fault's value of a slot, nil if that was not fetched.
    final nonisolated func partialRow(holding slot: Int) -> UnsafeRawPointer? {
        guard row == nil, let partial = block?.partial, partial.slots.contains(slot) else { return nil }
        return partial.row.pointer
    }

    /// Forgets what a fault knows: its row has changed.
    final nonisolated func dropPartialRow() {
        if row == nil { dropValues() }
    }
}
