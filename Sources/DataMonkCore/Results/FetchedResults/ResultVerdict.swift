/// **Confined.** The effect of an event on one object: whether it belongs in the list, and where.
///
/// Verdicts are determined before the list is changed, since reading an object's values may run its own code.
struct ResultVerdict {
    /// The position of an object, as determined by its values.
    struct Place {
        let keys: [ManagedValue]
        let sectionName: String
    }

    let object: ManagedObject
    /// The place of the object, or `nil` if it is not a result.
    let place: Place?
    /// A Boolean value indicating whether the object itself has changed, and not only others that its place depends on.
    let isChanged: Bool
}

@available(*, unavailable)
extension ResultVerdict: Sendable {}
