import DataMonkCore

/// **Shared.** The values that a row, or a part of one, gives an object.
final class PreparedObject: Sendable {
    /// **Value.** The objects that it gives a relationship.
    struct Link: Sendable {
        /// The position of the relationship in the mapping.
        let position: Int
        /// The objects; none for null and for an empty array.
        let objects: [PreparedObject]
    }

    /// **Value.** The value that it gives an attribute.
    struct Value: Sendable {
        /// The position of the attribute in the mapping.
        let position: Int
        let value: ManagedValue
    }

    /// The position of the mapping in the plan.
    let mapping: Int
    /// The value that tells which object it is; `nil` if its entity has no key.
    let key: ImportKey?
    /// Indicates whether the row has nothing but the key.
    let isReference: Bool
    /// Indicates whether the values are the cells of a table, for hooks alone.
    let hasCells: Bool
    let values: [Value]
    let links: [Link]
    /// The values by name, for hooks alone.
    let source: [String: ManagedValue]
    /// Indicates whether each name in the row is that of a property. If not, some may be, by paths.
    let hasOnlyNamesOfProperties: Bool

    init(
        mapping: Int, key: ImportKey?, isReference: Bool = false, hasCells: Bool = false,
        values: [Value], links: [Link] = [], source: [String: ManagedValue] = [:],
        hasOnlyNamesOfProperties: Bool = false
    ) {
        self.mapping = mapping
        self.key = key
        self.isReference = isReference
        self.hasCells = hasCells
        self.values = values
        self.links = links
        self.source = source
        self.hasOnlyNamesOfProperties = hasOnlyNamesOfProperties
    }
}
