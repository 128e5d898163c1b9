/// **Value.** What becomes what between two versions of a model, inferred from names and renaming identifiers.
///
/// Pure data: it knows what each entity and property was before, and that nothing stands in the way. How a store gets
/// there is the store's business.
///
/// Properties are matched an entity at a time, inherited ones included: one that moves up or down the inheritance tree
/// finds itself again in each entity.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. An old entity becomes at most one new one; so does a property within its entity.
/// 2. All new entities of one inheritance tree that were there before come from one inheritance tree.
/// 3. Matched attributes are of one type, matched relationships of one kind of link that can be kept, or narrowed.
package struct InferredMapping: Sendable {
    /// The version that the store was written with.
    package let source: ManagedObjectModel
    /// The version that the store shall have.
    package let destination: ManagedObjectModel

    /// The new relationships that have room for fewer links than the old ones had, as they are declared; of a pair one side.
    /// Which links are kept depends on the data.
    package let narrowedRelationships: [Entity.Relationship]

    /// By position of the new entity.
    private let entitySources: [Entity?]
    /// By position of the old entity.
    private let entityDestinations: [Entity?]
    /// By position of the new entity, then by slot.
    private let propertySources: [[Entity.Property?]]

    /// Infers the mapping.
    ///
    /// - Parameters:
    ///   - held: the entities of the old version that the store holds, superentities included.
    ///   - destinationHeld: the entities of the new version that it shall hold.
    /// - Throws: `MigrationError` with **every** change that cannot be inferred.
    package init(
        from source: ManagedObjectModel, holding held: [Entity], to destination: ManagedObjectModel,
        holding destinationHeld: [Entity]
    ) throws(MigrationError) {
        var inference = MappingInference(
            from: source, holding: Set(held), to: destination, holding: Set(destinationHeld))
        inference.run()
        guard inference.problems.isEmpty else {
            throw MigrationError(.notInferable, problems: inference.problems)
        }
        self.source = source
        self.destination = destination
        entitySources = inference.entitySources
        propertySources = inference.propertySources
        narrowedRelationships = inference.narrowed
        var destinations: [Entity?] = Array(repeating: nil, count: source.entities.count)
        for entity in destination.entities {
            if let old = entitySources[entity.index] { destinations[old.index] = entity }
        }
        entityDestinations = destinations
    }

    /// What a new entity was, nil for one that is new to the store.
    package func source(of entity: Entity) -> Entity? { entitySources[entity.index] }

    /// What an old entity became, nil for one that the store holds no more.
    package func destination(of entity: Entity) -> Entity? { entityDestinations[entity.index] }

    /// What a stored property of a new entity was, nil for one that is new there. An entity that is new to the store has
    /// only new properties.
    package func source(of property: Entity.Property, in entity: Entity) -> Entity.Property? {
        propertySources[entity.index][property.slot]
    }

    /// What a relationship of a new entity was, nil for one that is new there.
    package func source(of relationship: Entity.Relationship, in entity: Entity) -> Entity.Relationship? {
        propertySources[entity.index][relationship.slot]?.relationship
    }
}
