/// **Value.** Some values of a fault's row, which a fetch of only certain properties leaves in place of the fault's block.
///
/// The object remains a fault. Reading one of the slots finds its value here; any other access reads the whole row, whose
/// block then replaces this one.
struct PartialRow: Sendable {
    /// The row, in which only the values of `slots` are valid.
    let row: Row
    let slots: SlotSet
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
