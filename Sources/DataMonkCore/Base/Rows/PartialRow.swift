/// **Value.** Some values of a fault's row, which a fetch of only certain properties leaves in place of the fault's block.
///
/// The object remains a fault. Reading one of the slots finds its value here; any other access reads the whole row, whose
/// block then replaces this one.
struct PartialRow: Sendable {
    /// The row, in which only the values of `slots` are valid.
    let row: Row
    let slots: SlotSet
}
