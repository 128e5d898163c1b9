import Foundation

/// **Value.** By how much attributes of one row are to grow, whatever they hold in the store when they are written.
///
/// A draft holds its increments beside its values: the value of an incremented slot is that of the base plus the amount, so
/// every reader sees the sum. Setters know nothing of increments. Where a slot holds anything but the sum, it was set since,
/// and its increment is void (`EntityLayout.increments(of:)`). A value that is set to what the slot holds is no change, as
/// elsewhere, and leaves the increment.
///
/// Over a base that others have stored there may be no sum. The slot then holds what the base does, and the increment is
/// *refused*: a save throws until another base takes it, the slot is set, or the changes are taken back.
package struct Increments: Sendable {
    private(set) var amounts: [Int: ManagedValue] = [:]
    /// Indicates whether nothing else of the row is to be written. Its version then does not matter.
    var standAlone = false

    /// The amount of a slot; nil if it is not incremented.
    package subscript(slot: Int) -> ManagedValue? {
        get { amounts[slot] }
        set { amounts[slot] = newValue }
    }

    /// The incremented slots.
    var slots: SlotSet { SlotSet(amounts.keys.sorted()) }
}

// A ManagedValue can be written as `nil` too: where one may be missing, `.none` and `.some` say which is meant.

extension ManagedValue {
    /// Indicates whether an amount decreases a number.
    var isNegative: Bool {
        switch self {
        case .int(let number): number < 0
        case .double(let number): number < 0
        case .decimal(let number): number < 0
        default: false
        }
    }

    /// The amount that takes an amount back; nil where there is none.
    var opposite: ManagedValue? {
        switch self {
        case .int(let number): number == .min ? .none : .some(.int(-number))
        case .double(let number): .double(-number)
        case .decimal(let number): .decimal(-number)
        default: nil
        }
    }
}
