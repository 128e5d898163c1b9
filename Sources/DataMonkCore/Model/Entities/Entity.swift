// Unchecked: the links between entities go round in circles, so they cannot be `let`; see who writes what below.
/// **Shared.** One entity of a validated model, with its place among the others and all its properties, inherited ones
/// included.
///
/// Entities are equal when they are the same object: two models never share one.
///
/// Who writes what: `EntityResolver` fills the links while it builds the graph, before anyone else sees an entity; nobody
/// writes afterwards.
/// 1. `ancestors` runs from the root to the superentity, so `ancestors.count` is the depth.
/// 2. `properties[n].slot == n`, and the properties of the superentity come first, at the same slots: a class's code for
///    a property works for objects of every sub-entity.
/// 3. A property that a sub-entity declares again keeps its slot.
/// 4. Of the properties that an entity brings itself, those that its class declares come first, in the class's order:
///    whatever the order in a model file, the class's code finds them.
public final class Entity: @unchecked Sendable {
    /// What the model's author wrote, with every inverse filled in.
    public let description: EntityDescription
    /// The entity's name.
    public let name: String
    /// The entity's position in the model's `entities`, and its part of an object's key.
    public let index: Int
    /// The entities above this one, from the root down.
    public let ancestors: [Entity]
    /// The class of the entity's objects, nil for plain managed objects.
    public let managedObjectClass: ManagedObject.Type?
    /// Whether no object is of this very entity.
    public let isAbstract: Bool

    // Unchecked exclusivity: nobody writes after the model is built.
    /// The direct sub-entities, sorted by name in byte order.
    @exclusivity(unchecked) public internal(set) var subentities: [Entity] = []
    /// Every attribute and relationship in slot order, inherited ones first.
    @exclusivity(unchecked) public internal(set) var properties: [Property] = []
    /// Every attribute in slot order.
    @exclusivity(unchecked) public internal(set) var attributes: [Attribute] = []
    /// Every relationship in slot order.
    @exclusivity(unchecked) public internal(set) var relationships: [Relationship] = []
    /// Every fetched property, inherited ones first. They have no slot.
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

    /// The topmost entity of the inheritance tree: the entity itself when it inherits from none.
    public var root: Entity { ancestors.first ?? self }

    /// Whether the entity is another one or inherits from it.
    ///
    /// - Complexity: constant.
    public func isKind(of other: Entity) -> Bool {
        if self === other { return true }
        let depth = other.ancestors.count
        return depth < ancestors.count && ancestors[depth] === other
    }

    /// The entity and everything that inherits from it, each before its own sub-entities.
    public var family: [Entity] { [self] + subentities.flatMap(\.family) }

    /// The declaration of a property whose columns count: the one nearest to the root.
    package func firstDeclaration(of property: Property) -> Property {
        ancestors.lazy.compactMap { $0.propertiesByName[property.name] }.first ?? property
    }

    /// The attribute of a name, nil when there is none.
    public func attribute(named name: String) -> Attribute? { propertiesByName[name]?.attribute }

    /// The relationship of a name, nil when there is none.
    public func relationship(named name: String) -> Relationship? { propertiesByName[name]?.relationship }
}

extension Entity: Hashable {
    /// Whether both are the same entity of the same model.
    public static func == (left: Entity, right: Entity) -> Bool { left === right }

    /// Hashes the entity's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
