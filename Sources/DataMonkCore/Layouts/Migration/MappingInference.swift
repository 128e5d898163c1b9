/// **Value.** Infers the mapping and collects the problems that prevent it.
///
/// The entities of the whole models are matched first, then the properties of each entity with a source. The checks come
/// last.
package struct MappingInference {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The entities that the store contains, and those that it will contain.
    let held: Set<Entity>
    let destinationHeld: Set<Entity>

    /// The sources given by hand.
    let mappings: [EntityMapping]
    /// Those that tell the sources of properties, by the name of the entity.
    let mappingsByName: [String: [EntityMapping]]

    /// The source of each new entity, by its index.
    package private(set) var entitySources: [Entity?]
    /// The destination of each old entity that the store still contains, by its index.
    private var entityDestinations: [Entity?]
    /// The source of each new property, by the index of the entity, then by slot.
    package private(set) var propertySources: [[Entity.Property?]]
    /// The attributes that are computed, by the index of the new entity.
    var computations: [[AttributeComputation]]
    /// The new relationships with room for fewer links than before; one side of each pair.
    package internal(set) var narrowed: [Entity.Relationship] = []
    /// The rules for to-ones that were to-manys.
    package internal(set) var choices: [LinkChoice] = []
    /// The changes that cannot be inferred.
    package private(set) var problems: [MigrationError.Problem] = []
    private var reported: Set<MigrationError.Problem> = []

    // Found once, because many entities inherit one relationship.
    /// The relationships in `narrowed`.
    var narrowedSet: Set<Entity.Relationship> = []
    /// The source of each new relationship that was asked for.
    private var pasts: [Entity.Relationship: Entity.Relationship?] = [:]
    /// The first entity, for old destinations and new ones, to which links may lead and must not.
    private var strangers: [Destinations: Entity?] = [:]

    private struct Destinations: Hashable {
        let old: Entity
        let new: Entity
    }

    package init(
        from source: ManagedObjectModel, holding held: Set<Entity>, to destination: ManagedObjectModel,
        holding destinationHeld: Set<Entity>, mappings: [EntityMapping] = []
    ) {
        self.mappings = mappings
        mappingsByName = Dictionary(grouping: mappings.filter { $0.rule != .remove }, by: \.entityName)
        self.source = source
        self.destination = destination
        self.held = held
        self.destinationHeld = destinationHeld
        entitySources = Array(repeating: nil, count: destination.entities.count)
        entityDestinations = Array(repeating: nil, count: source.entities.count)
        computations = destination.entities.map { _ in [] }
        propertySources = destination.entities.map { Array(repeating: nil, count: $0.properties.count) }
    }

    /// Finds the sources, and then what prevents a migration by them.
    package mutating func run() {
        matchEntities()
        for entity in destination.entities {
            if let old = entitySources[entity.index] { matchProperties(of: entity, old) }
        }
        checkHierarchies()
        checkChoices()
        for entity in destination.entities {
            guard let old = entitySources[entity.index] else { continue }
            for property in entity.properties where !property.isTransient { check(property, of: entity, against: old) }
        }
        for entity in destination.entities {
            for relationship in entity.relationships
            where relationship.entity === entity
                && entity.firstDeclaration(of: .relationship(relationship)).relationship === relationship
            {
                checkCombination(in: relationship)
            }
        }
    }

    /// Reports a problem once, for the entity that declares the property rather than for every sub-entity.
    mutating func report(
        _ kind: MigrationError.Problem.Kind, in entity: Entity, property: String? = nil, message: String
    ) {
        let place = property.flatMap { entity.propertiesByName[$0] }.map(Self.declaringEntity) ?? entity
        let problem = MigrationError.Problem(
            kind: kind, entityName: place.name, propertyName: property, message: message)
        report(problem)
    }

    /// Reports a problem once.
    mutating func report(_ problem: MigrationError.Problem) {
        if reported.insert(problem).inserted { problems.append(problem) }
    }

    private static func declaringEntity(_ property: Entity.Property) -> Entity {
        switch property {
        case .attribute(let attribute): attribute.entity
        case .relationship(let relationship): relationship.entity
        }
    }

    // MARK: Entities

    private mutating func matchEntities() {
        func name(_ entity: Entity) -> RenamingMatcher.Name {
            RenamingMatcher.Name(name: entity.name, identifier: entity.description.renamingIdentifier)
        }
        let fixed = fixedEntities()
        let matcher = RenamingMatcher(
            from: source.entities.map(name), to: destination.entities.map(name), fixed: fixed.sources,
            excluded: fixed.removed)
        for place in matcher.ambiguous {
            report(
                .ambiguousRenaming, in: destination.entities[place], property: nil,
                message: "Another entity has the same renaming identifier. Give the identifier to only one of them.")
        }
        checkTransformations(matcher.sources)
        for (entity, place) in zip(destination.entities, matcher.sources) {
            guard let old = place.map({ source.entities[$0] }), held.contains(old) else { continue }
            if destinationHeld.contains(entity) {
                entitySources[entity.index] = old
                entityDestinations[old.index] = entity
            } else if !old.isAbstract {
                report(
                    .movedToOtherStore, in: entity, property: nil,
                    message: """
                        It now belongs to another configuration, so its objects would be left behind. Keep it in the \
                        store's configuration, or move its objects in the application.
                        """)
            }
        }
    }

    /// Checks that the entities of a tree come from one tree. Keys are assigned within one inheritance tree, so objects of
    /// two trees have the same ones.
    private mutating func checkHierarchies() {
        for root in destination.entities where root.superentity == nil {
            let past = root.family.compactMap { entitySources[$0.index] }
            let roots = Set(past.map(\.root))
            guard roots.count > 1 else { continue }
            let names = roots.map(\.name).sorted(by: String.precedesInBytes).joined(separator: ", ")
            report(
                .mergedHierarchies, in: root, property: nil,
                message: """
                    It would combine entities that had no common superentity (\(names)). Keep them apart, or copy their \
                    objects into new entities in the application.
                    """)
        }
    }

    // MARK: Properties

    private mutating func matchProperties(of entity: Entity, _ old: Entity) {
        let matcher = RenamingMatcher(
            from: old.properties.map(Self.name), to: entity.properties.map(Self.name),
            fixed: fixedProperties(of: entity, old))
        for place in matcher.ambiguous {
            report(
                .ambiguousRenaming, in: entity, property: entity.properties[place].name,
                message: "Another property has the same renaming identifier. Give the identifier to only one of them.")
        }
        for (slot, place) in matcher.sources.enumerated() {
            guard let past = place.map({ old.properties[$0] }), !past.isTransient else { continue }
            propertySources[entity.index][slot] = past
        }
    }

    private static func name(_ property: Entity.Property) -> RenamingMatcher.Name {
        switch property {
        case .attribute(let attribute):
            RenamingMatcher.Name(name: attribute.name, identifier: attribute.description.renamingIdentifier)
        case .relationship(let relationship):
            RenamingMatcher.Name(name: relationship.name, identifier: relationship.description.renamingIdentifier)
        }
    }

    private mutating func check(_ property: Entity.Property, of entity: Entity, against old: Entity) {
        let past = propertySources[entity.index][property.slot]
        switch (property, past) {
        case (.attribute(let attribute), .attribute(let past)): check(attribute, against: past, of: entity)
        case (.attribute(let attribute), nil):
            if computations[entity.index].contains(where: { $0.attribute.slot == attribute.slot }) { break }
            checkDefault(attribute, of: entity)
        case (.relationship(let relationship), .relationship(let past)): check(relationship, against: past, of: entity)
        case (.relationship, nil): break  // Its inverse reports what is wrong with links that it takes over.
        case (.attribute, .relationship), (.relationship, .attribute):
            report(
                .changedKind, in: entity, property: property.name,
                message: """
                    It was \(past?.attribute == nil ? "a relationship" : "an attribute"), and its values cannot be \
                    converted. Give the new property another name, and fill it in the application.
                    """)
        }
    }

    /// Returns the source of a new relationship, from whichever entity of its family has one.
    mutating func past(of relationship: Entity.Relationship) -> Entity.Relationship? {
        if let known = pasts[relationship] { return known }
        let past = relationship.entity.family.lazy
            .compactMap { [propertySources] in propertySources[$0.index][relationship.slot]?.relationship }.first
        pasts[relationship] = .some(past)
        return past
    }

    /// Returns an entity of the new version that objects of an old one, or of its sub-entities, may have become, and that is
    /// not of a new one; `nil` if there is none.
    mutating func stranger(from old: Entity, in new: Entity) -> Entity? {
        let destinations = Destinations(old: old, new: new)
        if let known = strangers[destinations] { return known }
        let now = old.family.lazy.compactMap { [entityDestinations] in entityDestinations[$0.index] }
        let stranger = now.first { !$0.isKind(of: new) }
        strangers[destinations] = .some(stranger)
        return stranger
    }
}
