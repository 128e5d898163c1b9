import DataMonkCore

/// **Value.** A row whose values are converted, to be matched with objects.
struct PreparedRow: Sendable {
    let place: ImportPlace
    let content: Result<PreparedObject, any Error>
}

/// **Value.** The values that a row, or a part of one, gives an object.
struct PreparedObject: Sendable {
    /// **Value.** The objects that it gives a relationship.
    struct Link: Sendable {
        /// The position of the relationship in the mapping.
        let position: Int
        /// The objects; none for null and for an empty array.
        let objects: [PreparedObject]
    }

    /// The position of the mapping in the plan.
    let mapping: Int
    /// The value that tells which object it is; `nil` if its entity has no key.
    let key: ImportKey?
    /// Indicates whether the row has nothing but the key.
    var isReference = false
    /// Indicates whether the values are the cells of a table, for hooks alone.
    var hasCells = false
    /// The values by the position of their attributes in the mapping.
    var values: [(position: Int, value: ManagedValue)] = []
    var links: [Link] = []
    /// The values by name, for hooks alone.
    var source: [String: ManagedValue] = [:]
}
