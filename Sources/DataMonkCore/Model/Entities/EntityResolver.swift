/// **Value.** Builds the entities of a model from validated descriptions.
///
/// It makes three passes: first the entities (each after its superentity), then the properties (in the same order, so that
/// inherited ones exist already), and last the inverses.
struct EntityResolver {
    private let descriptions: [EntityDescription]
    private let positions: [String: Int]
    private var entities: [Entity?]

    /// - Parameter validated: Validated descriptions in any order, with every inverse named on both sides.
    static func resolve(_ validated: [EntityDescription]) -> [Entity] {
        var resolver = EntityResolver(validated.sorted { String.precedesInBytes($0.name, $1.name) })
        let entities = resolver.makeEntities()
        let downwards = entities.filter { $0.superentity == nil }.flatMap(\.family)
        for entity in downwards { resolver.addProperties(to: entity) }
        for entity in downwards { linkInverses(of: entity) }
        return entities
    }

    private init(_ sorted: [EntityDescription]) {
        descriptions = sorted
        positions = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($0.element.name, $0.offset) })
        entities = Array(repeating: nil, count: sorted.count)
    }

    private mutating func makeEntities() -> [Entity] {
        let made = descriptions.indices.map { makeEntity(at: $0) }
        for entity in made { entity.superentity?.subentities.append(entity) }
        return made
    }

    private mutating func makeEntity(at position: Int) -> Entity {
        if let entity = entities[position] { return entity }
        let description = descriptions[position]
        let above = description.superentityName.flatMap { positions[$0] }.map { makeEntity(at: $0) }
        let entity = Entity(description, index: position, superentity: above)
        entities[position] = entity
        return entity
    }

    private func addProperties(to entity: Entity) {
        let inherited = entity.superentity?.propertiesByName ?? [:]
        var properties = entity.superentity?.properties ?? []
        // The names of the entity's own properties differ from each other, as validation has made sure.
        for description in entity.description.propertiesBySlot {
            let slot = inherited[description.name]?.slot ?? properties.count
            guard let property = makeProperty(description, slot: slot, of: entity) else { continue }
            if slot < properties.count { properties[slot] = property } else { properties.append(property) }
        }
        entity.properties = properties
        entity.propertiesByName = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0) })
        entity.attributes = properties.compactMap(\.attribute)
        entity.relationships = properties.compactMap(\.relationship)
        entity.fetchedProperties = fetchedProperties(of: entity)
    }

    private func makeProperty(_ description: PropertyDescription, slot: Int, of entity: Entity) -> Entity.Property? {
        switch description {
        case .attribute(let attribute):
            return .attribute(Entity.Attribute(attribute, slot: slot, entity: entity))
        case .relationship(let relationship):
            guard let destination = positions[relationship.destinationEntityName].flatMap({ entities[$0] }) else {
                preconditionFailure(
                    "\(relationship.name) has an unknown destination, which validation should have reported")
            }
            return .relationship(
                Entity.Relationship(relationship, slot: slot, entity: entity, destination: destination))
        case .fetched:
            return nil
        }
    }

    private func fetchedProperties(of entity: Entity) -> [FetchedPropertyDescription] {
        let own = entity.description.fetchedProperties
        let ownNames = Set(own.map(\.name))
        return (entity.superentity?.fetchedProperties ?? []).filter { !ownNames.contains($0.name) } + own
    }

    private static func linkInverses(of entity: Entity) {
        for relationship in entity.relationships where relationship.entity === entity {
            relationship.inverse = relationship.description.inverseName.flatMap {
                relationship.destination.relationship(named: $0)
            }
        }
    }
}
