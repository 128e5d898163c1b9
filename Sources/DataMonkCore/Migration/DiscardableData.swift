/// **Value.** Stored data that a migration may discard.
///
/// ```swift
/// try stack.addDatabaseStore(fileURL: url, discarding: [.entity("Visit"), .property("Person", "age")])
/// ```
/// Without it a migration discards nothing: it throws ``MigrationError`` with the code `wouldDiscard` and lists the data.
/// The names are those of the version that the store was written with. Names that the store does not have mean nothing,
/// so that the same call can stay while stores of several versions are about.
public struct DiscardableData: Sendable, Hashable, ExpressibleByArrayLiteral {
    private enum Item: Sendable, Hashable {
        case everything
        case laterVersions
        case entity(String)
        case property(entityName: String, name: String)
    }

    private var items: Set<Item>

    private init(_ item: Item) { items = [item] }

    /// Combines several: `[.entity("Visit"), .laterVersions]`. The empty list permits nothing.
    public init(arrayLiteral elements: DiscardableData...) {
        items = elements.reduce(into: []) { $0.formUnion($1.items) }
    }

    /// Objects, values and links of every entity. It does not include ``laterVersions``.
    public static let everything = DiscardableData(.everything)

    /// The later versions of a store that a newer program has migrated: the program's own version is made of it again.
    ///
    /// Meant for branches of a program's development. Objects, values and links that only the later version has are named
    /// apart, or are covered by ``everything``.
    public static let laterVersions = DiscardableData(.laterVersions)

    /// The objects of an entity that the new version has no more, or that is abstract there. Objects of its sub-entities
    /// are named apart. The links that lead to the objects go with them.
    public static func entity(_ name: String) -> DiscardableData { DiscardableData(.entity(name)) }

    /// The values of an attribute or the links of a relationship that the new version has no more.
    ///
    /// - Parameters:
    ///   - entityName: the entity that declares the property.
    ///   - name: the property's name. An element of a composite attribute is named as `address.city`.
    public static func property(_ entityName: String, _ name: String) -> DiscardableData {
        DiscardableData(.property(entityName: entityName, name: name))
    }

    /// Whether a store of a later version may be migrated back.
    package var includesLaterVersions: Bool { items.contains(.laterVersions) }

    /// Whether the objects of an entity may go.
    package func includes(entity name: String) -> Bool { items.contains(.everything) || items.contains(.entity(name)) }

    /// Whether the values or links of a property may go. An element of a composite attribute goes with the attribute.
    package func includes(property name: String, of entityName: String) -> Bool {
        if items.contains(.everything) || items.contains(.property(entityName: entityName, name: name)) { return true }
        guard let dot = name.firstIndex(of: ".") else { return false }
        return items.contains(.property(entityName: entityName, name: String(name[..<dot])))
    }
}
