/// **Value.** One object of an ordered collection: `songs[FIRST]`.
package struct ResolvedElement: Sendable, Hashable {
    /// **Value.** The position of the element, which may not exist.
    package enum Place: Sendable, Hashable {
        case first
        case last
        /// At a position, counted from 0.
        case at(Int)
    }

    /// The path to the objects. Its last step is an ordered to-many, and the only to-many.
    package let collection: ResolvedPath
    package let place: Place

    /// Returns the element of an ordered list of objects, or `nil` if it does not exist.
    func pick<Object>(from objects: [Object]) -> Object? {
        switch place {
        case .first: objects.first
        case .last: objects.last
        case .at(let position): position < objects.count ? objects[position] : nil
        }
    }
}
