/// **Value.** The mapping between two versions of a model, inferred from names and renaming identifiers where no source is
/// given by hand.
///
/// Pure data: it maps each entity and property to its source, and guarantees that nothing prevents the migration. Carrying
/// it out is left to the store.
///
/// Properties are matched for each entity, inherited ones included, so that a property that moves up or down the inheritance
/// tree is found again in each entity.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. An old entity becomes at most one new one; so does a property within its entity.
/// 2. All new entities of one inheritance tree that have a source come from one inheritance tree.
/// 3. Matched attributes have the same type. Matched relationships have kinds of links that can be kept, or narrowed.
package struct InferredMapping: Sendable {
    /// The version that the store was written with.
    package let source: ManagedObjectModel
    /// The version to migrate the store to.
    package let destination: ManagedObjectModel

    /// The new relationships that have room for fewer links than the old ones, as they are declared; one side of each pair.
    /// The data decides which links are kept.
    package let narrowedRelationships: [Entity.Relationship]
    /// The same, to be looked up.
    let narrowedSet: Set<Entity.Relationship>

    /// The rules for to-ones that were to-manys.
    private let choices: [LinkChoice]

    /// The source of each new entity, by its index.
    private let entitySources: [Entity?]
    /// The destination of each old entity, by its index.
    private let entityDestinations: [Entity?]
    /// The source of each new property, by the index of the entity, then by slot.
    private let propertySources: [[Entity.Property?]]
    /// The attributes that are computed, by the index of the new entity.
    private let computations: [[AttributeComputation]]

    /// Infers the mapping.
    ///
    /// - Parameters:
    ///   - held: The entities of the old version that the store contains, superentities included.
    ///   - destinationHeld: The entities of the new version that the store will contain.
    ///   - mappings: The sources given by hand.
    /// - Throws: `MigrationError` with **every** change that cannot be inferred.
    package init(
        from source: ManagedObjectModel, holding held: [Entity], to destination: ManagedObjectModel,
        holding destinationHeld: [Entity], mappings: [EntityMapping] = []
    ) throws(MigrationError) {
        var inference = MappingInference(
            from: source, holding: Set(held), to: destination, holding: Set(destinationHeld),
            mappings: mappings)
        inference.run()
        guard inference.problems.isEmpty else {
            throw MigrationError(.notInferable, problems: inference.problems)
        }
        self.source = source
        self.destination = destination
        entitySources = inference.entitySources
        propertySources = inference.propertySources
        narrowedRelationships = inference.narrowed
        narrowedSet = inference.narrowedSet
        choices = inference.choices
        computations = inference.computations
        var destinations: [Entity?] = Array(repeating: nil, count: source.entities.count)
        for entity in destination.entities {
            if let old = entitySources[entity.index] { destinations[old.index] = entity }
        }
        entityDestinations = destinations
    }

    /// A Boolean value indicating whether a mapping by hand computes values.
    package var computesValues: Bool {
        destination.entities.contains { !computations(of: $0).isEmpty }
    }

    /// Returns the source of a new entity, or `nil` for an entity that is new to the store.
    package func source(of entity: Entity) -> Entity? { entitySources[entity.index] }

    /// Returns the destination of an old entity, or `nil` for an entity that the store no longer contains.
    package func destination(of entity: Entity) -> Entity? { entityDestinations[entity.index] }

    /// Returns the source of a new entity's stored property, or `nil` if it is new there. All properties of an entity that
    /// is new to the store are new.
    package func source(of property: Entity.Property, in entity: Entity) -> Entity.Property? {
        propertySources[entity.index][property.slot]
    }

    /// Returns the rule by which a new to-one keeps one of several objects, or `nil` if a mapping gives none.
    package func choice(for relationship: Entity.Relationship) -> LinkChoice? {
        choices.first { $0.relationship === relationship }
    }

    /// Returns the attributes of a new entity that are computed.
    package func computations(of entity: Entity) -> [AttributeComputation] { computations[entity.index] }

    /// Returns the source of a new entity's relationship, or `nil` if it is new there.
    package func source(of relationship: Entity.Relationship, in entity: Entity) -> Entity.Relationship? {
        propertySources[entity.index][relationship.slot]?.relationship
    }

    /// Returns the source of a new entity's relationship, as the old version declares it.
    package func declaredSource(
        of relationship: Entity.Relationship, in entity: Entity
    ) -> Entity.Relationship? {
        source(of: relationship, in: entity).flatMap { $0.entity.firstDeclaration(of: .relationship($0)).relationship }
    }
}
