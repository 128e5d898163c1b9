/// **Confined.** What an event means for one object: whether it belongs into the list, and where.
///
/// Found out before the list is touched: asking objects for values may run code of theirs.
struct ResultVerdict {
    /// What decides an object's place.
    struct Place {
        let keys: [ManagedValue]
        let sectionName: String
    }

    let object: ManagedObject
    /// Nil if the object is to be no result.
    let place: Place?
    /// Whether the object itself has changed, and not only others that its place depends on.
    let isChanged: Bool
}

@available(*, unavailable)
extension ResultVerdict: Sendable {}
