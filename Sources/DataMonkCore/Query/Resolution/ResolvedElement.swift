/// **Value.** One object of an ordered collection: `songs[FIRST]`.
package struct ResolvedElement: Sendable, Hashable {
    /// **Value.** Which one; there may be none.
    package enum Place: Sendable, Hashable {
        case first
        case last
        /// From 0.
        case at(Int)
    }

    /// Leads to the objects: its last step is an ordered to-many, and the only to-many.
    package let collection: ResolvedPath
    package let place: Place

    /// The element of some objects in their order, nil where there is none.
    func pick<Object>(from objects: [Object]) -> Object? {
        switch place {
        case .first: objects.first
        case .last: objects.last
        case .at(let position): position < objects.count ? objects[position] : nil
        }
    }
}
