// Unchecked: the references between entities are circular, so they cannot be `let`. See below for their only writer.
/// **Shared.** An entity of a validated model, with its place in the inheritance tree and all its properties, including
/// inherited ones.
///
/// Entities are equal if they are the same object: two models never share an entity.
///
/// Writer: `EntityResolver` fills the references while it builds the graph, before anyone else sees an entity. Nobody
/// writes afterwards.
/// 1. `ancestors` runs from the root to the superentity, so `ancestors.count` is the depth.
/// 2. `properties[n].slot == n`, and the properties of the superentity come first, at the same slots, so that the code of a
///    class works for objects of every sub-entity.
/// 3. A property that a sub-entity redeclares keeps its slot.
/// 4. Of the properties that an entity adds, those that its class declares come first, in the class's order, so that the
///    class's code finds them whatever the order in a model file.
public final class Entity: @unchecked Sendable {
    /// The author's description, with every inverse added.
    public let description: EntityDescription
    /// The entity's name.
    public let name: String
    /// The entity's position in the model's `entities`, which is also its part of an object's key.
    public let index: Int
    /// The entities above this one, from the root down.
    public let ancestors: [Entity]
    /// The class of the entity's objects, or `nil` for plain managed objects.
    public let managedObjectClass: ManagedObject.Type?
    /// A Boolean value indicating whether the entity has no objects of its own.
    public let isAbstract: Bool

    // Unchecked exclusivity: nobody writes after the model is built.
    /// The direct sub-entities, sorted by name in byte order.
    @exclusivity(unchecked) public internal(set) var subentities: [Entity] = []
    /// All attributes and relationships in slot order, inherited ones first.
    @exclusivity(unchecked) public internal(set) var properties: [Property] = []
    /// All attributes in slot order.
    @exclusivity(unchecked) public internal(set) var attributes: [Attribute] = []
    /// All relationships in slot order.
    @exclusivity(unchecked) public internal(set) var relationships: [Relationship] = []
    /// All fetched properties, inherited ones first. They have no slot.
    @exclusivity(unchecked) public internal(set) var fetchedProperties: [FetchedPropertyDescription] = []
    /// The attributes and relationships by name.
    @exclusivity(unchecked) public internal(set) var propertiesByName: [String: Property] = [:]

    init(_ description: EntityDescription, index: Int, superentity: Entity?) {
        self.description = description
        self.name = description.name
        self.index = index
        self.ancestors = superentity.map { $0.ancestors + [$0] } ?? []
        self.managedObjectClass = description.managedObjectClass
        self.isAbstract = description.isAbstract
    }

    /// The entity that this one inherits from.
    public var superentity: Entity? { ancestors.last }

    /// The topmost entity of the inheritance tree, which is the entity itself if it has no superentity.
    public var root: Entity { ancestors.first ?? self }

    /// Returns `true` if the entity is another one or inherits from it.
    ///
    /// - Complexity: Constant.
    public func isKind(of other: Entity) -> Bool {
        if self === other { return true }
        let depth = other.ancestors.count
        return depth < ancestors.count && ancestors[depth] === other
    }

    /// The entity and all entities that inherit from it, each before its own sub-entities.
    public var family: [Entity] { [self] + subentities.flatMap(\.family) }

    /// Returns the declaration of a property that determines its columns: the one nearest to the root.
    package func firstDeclaration(of property: Property) -> Property {
        ancestors.lazy.compactMap { $0.propertiesByName[property.name] }.first ?? property
    }

    /// Returns the attribute with a name, or `nil` if there is none.
    public func attribute(named name: String) -> Attribute? { propertiesByName[name]?.attribute }

    /// Returns the relationship with a name, or `nil` if there is none.
    public func relationship(named name: String) -> Relationship? { propertiesByName[name]?.relationship }
}

extension Entity: Hashable {
    /// Returns `true` if both are the same entity of the same model.
    public static func == (left: Entity, right: Entity) -> Bool { left === right }

    /// Hashes the entity's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
