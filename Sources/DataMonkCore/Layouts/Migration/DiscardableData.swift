/// **Value.** Stored data that a migration may discard.
///
/// ```swift
/// try stack.addDatabaseStore(fileURL: url, discarding: [.entity("Visit"), .property("Person", "age")])
/// ```
/// Without it, a migration discards nothing: it throws a ``MigrationError`` with the code `wouldDiscard` that lists the
/// data. The names are those of the version that the store was written with, however many stages follow; data that a stage
/// makes has the names of the version that it leads to. Unknown names are ignored, so that the same call works while stores
/// of several versions are in use.
public struct DiscardableData: Sendable, Hashable, ExpressibleByArrayLiteral {
    private enum Item: Sendable, Hashable {
        case everything
        case laterVersions
        case entity(String)
        case property(entityName: String, name: String)
    }

    private var items: Set<Item>

    private init(_ item: Item) { items = [item] }

    /// Combines several values: `[.entity("Visit"), .laterVersions]`. An empty array permits nothing.
    public init(arrayLiteral elements: DiscardableData...) {
        items = elements.reduce(into: []) { $0.formUnion($1.items) }
    }

    /// The objects, values and links of every entity. Does not include ``laterVersions``.
    public static let everything = DiscardableData(.everything)

    /// The later version of a store that a newer program has migrated. The store is migrated back to the program's own
    /// version.
    ///
    /// Meant for development branches of a program. Objects, values and links that only the later version has must be listed
    /// as well, or covered by ``everything``.
    public static let laterVersions = DiscardableData(.laterVersions)

    /// The objects of an entity that the new version has removed or made abstract. Objects of its sub-entities must be
    /// listed separately. Links to the objects are discarded with them.
    public static func entity(_ name: String) -> DiscardableData { DiscardableData(.entity(name)) }

    /// The values of an attribute or the links of a relationship that the new version has removed.
    ///
    /// - Parameters:
    ///   - entityName: The entity that declares the property.
    ///   - name: The name of the property. An element of a composite attribute is named like `address.city`.
    public static func property(_ entityName: String, _ name: String) -> DiscardableData {
        DiscardableData(.property(entityName: entityName, name: name))
    }

    /// A Boolean value indicating whether a store of a later version may be migrated back.
    package var includesLaterVersions: Bool { items.contains(.laterVersions) }

    /// Returns `true` if the objects of an entity may be discarded.
    package func includes(entity name: String) -> Bool { items.contains(.everything) || items.contains(.entity(name)) }

    /// Returns `true` if the values or links of a property may be discarded. Permission for a composite attribute includes
    /// its elements.
    package func includes(property name: String, of entityName: String) -> Bool {
        if items.contains(.everything) || items.contains(.property(entityName: entityName, name: name)) { return true }
        guard let dot = name.firstIndex(of: ".") else { return false }
        return items.contains(.property(entityName: entityName, name: String(name[..<dot])))
    }
}
