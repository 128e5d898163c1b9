import DataMonkCore

/// **Value.** The differences between two versions of a model, and what a migration makes of them.
struct ModelDifference {
    /// **Value.** A difference of an entity or a property.
    struct Change: Hashable {
        /// **Value.** The effect that a migration has.
        enum Effect: Hashable {
            /// Nothing in a store changes.
            case none
            /// The migration follows by inference.
            case inferred
            /// The objects, values or links of a store would be discarded, which needs permission.
            case discards(String)
            /// A migration loses this without permission, and reports it.
            case loses(String)
        }

        var sign: Character
        var place: String
        var text: String
        var effect: Effect
    }

    private(set) var changes: [Change] = []
    /// The changes for which a mapping has to be given by hand.
    let problems: [MigrationError.Problem]
    /// A Boolean value indicating whether stores of one version open with the other.
    let isCompatible: Bool

    /// A Boolean value indicating whether a migration needs more than the two models.
    var hasObstacle: Bool {
        if isCompatible { return false }
        return !problems.isEmpty
            || changes.contains { change in
                switch change.effect {
                case .none, .inferred: false
                case .discards, .loses: true
                }
            }
    }

    /// Compares two versions.
    init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        var inference = MappingInference(
            from: old, holding: Set(old.entities), to: new, holding: Set(new.entities))
        inference.run()
        problems = inference.problems
        isCompatible = old.entityVersionHashesByName == new.entityVersionHashesByName
        var kept: Set<Entity> = []
        for entity in new.entities {
            guard let source = inference.entitySources[entity.index] else {
                add("+", entity.name, "new entity", .inferred)
                continue
            }
            kept.insert(source)
            compare(entity, with: source, by: inference)
        }
        for entity in old.entities where !kept.contains(entity) {
            // An abstract entity has no objects.
            add("-", entity.name, "entity removed", entity.isAbstract ? .inferred : .discards("its objects"))
        }
    }

    private mutating func add(_ sign: Character, _ place: String, _ text: String, _ effect: Change.Effect) {
        changes.append(Change(sign: sign, place: place, text: text, effect: effect))
    }

    private mutating func compare(_ entity: Entity, with old: Entity, by inference: MappingInference) {
        if entity.name != old.name { add("~", entity.name, "renamed from \(old.name)", .inferred) }
        if entity.isAbstract != old.isAbstract {
            add(
                "~", entity.name, entity.isAbstract ? "is abstract now" : "is abstract no more",
                entity.isAbstract ? .discards("its own objects") : .inferred)
        }
        if entity.superentity?.name != old.superentity?.name {
            let (from, to) = (old.superentity?.name ?? "none", entity.superentity?.name ?? "none")
            add("~", entity.name, "superentity \(from) → \(to)", .inferred)
        }
        var kept: Set<String> = []
        for property in entity.properties {
            let source = inference.propertySources[entity.index][property.slot] ?? transient(property, in: old)
            if let source { kept.insert(source.name) }
            guard let description = Self.ownDescription(of: property, in: entity) else { continue }
            let place = "\(entity.name).\(property.name)"
            let effect = Self.effect(on: property, of: entity, from: source, by: inference)
            compare(description, at: place, with: source, effect: effect)
            compareElements(of: property, at: place, with: source)
        }
        compareFetched(entity, with: old)
        for property in old.properties where !kept.contains(property.name) && !property.isTransient {
            // Each is listed once, for the entity nearest to the root that loses it.
            if Self.isLostAbove(property, of: old, by: inference) { continue }
            let isDerived = property.attribute?.isDerived ?? false
            let subject = property.attribute == nil ? "its links" : "its values"
            add("-", "\(entity.name).\(property.name)", "removed", isDerived ? .inferred : .discards(subject))
        }
        if Set(entity.description.uniquenessConstraints) != Set(old.description.uniquenessConstraints) {
            let groups = entity.description.uniquenessConstraints.map { $0.joined(separator: " and ") }
            add(
                "~", entity.name, "unique: \(groups.isEmpty ? "nothing" : groups.joined(separator: "; "))", .inferred)
        }
        if Set(entity.description.indexes) != Set(old.description.indexes) {
            add("~", entity.name, "other indexes", .none)
        }
    }

    /// Returns the transient property that is the same; migrations do not match them, because stores do not hold them.
    private func transient(_ property: Entity.Property, in old: Entity) -> Entity.Property? {
        guard property.isTransient, let other = old.propertiesByName[property.name], other.isTransient else {
            return nil
        }
        return other
    }

    private mutating func compare(
        _ new: PropertyDescription, at place: String, with source: Entity.Property?, effect: Change.Effect
    ) {
        let text = ModelListing.text(of: new)
        guard let source else { return add("+", place, text, .inferred) }
        let old: PropertyDescription =
            switch source {
            case .attribute(let attribute): .attribute(attribute.description)
            case .relationship(let relationship): .relationship(relationship.description)
            }
        if source.name != new.name { add("~", place, "renamed from \(source.name)", .inferred) }
        let before = ModelListing.text(of: old)
        if before != text { add("~", place, "\(before) → \(text)", effect) }
    }

    /// Lists the elements that a composite attribute has no more.
    private mutating func compareElements(of new: Entity.Property, at place: String, with source: Entity.Property?) {
        guard let attribute = new.attribute, let old = source?.attribute else { return }
        let names = Set(attribute.description.elements.map(\.name))
        for element in old.description.elements where !names.contains(element.name) {
            add("-", "\(place).\(element.name)", "removed", .discards("its values"))
        }
    }

    private mutating func compareFetched(_ entity: Entity, with old: Entity) {
        let (new, former) = (Set(entity.description.fetchedProperties), Set(old.description.fetchedProperties))
        for property in new.subtracting(former).sorted(by: { $0.name < $1.name }) {
            add("+", "\(entity.name).\(property.name)", ModelListing.text(of: .fetched(property)), .none)
        }
        for property in former.subtracting(new).sorted(by: { $0.name < $1.name }) {
            add("-", "\(entity.name).\(property.name)", "fetched property removed", .none)
        }
    }

    /// Returns the effect of the changes of a property: a relationship may have room for fewer links, or no order any more.
    private static func effect(
        on property: Entity.Property, of entity: Entity, from source: Entity.Property?, by inference: MappingInference
    ) -> Change.Effect {
        guard let new = property.relationship, let old = source?.relationship else { return .inferred }
        let declared = entity.firstDeclaration(of: property).relationship
        let isNarrowed = inference.narrowed.contains { narrowed in
            narrowed == declared || narrowed == declared?.inverse && old.isToMany && !new.isToMany
        }
        if isNarrowed { return .discards("links that it has no room for") }
        return old.isOrdered && old.isToMany && new.isToMany && !new.isOrdered ? .loses("its order") : .inferred
    }

    /// Returns `true` if the old superentity loses a property as well.
    private static func isLostAbove(
        _ property: Entity.Property, of old: Entity, by inference: MappingInference
    ) -> Bool {
        guard let above = old.superentity, above.propertiesByName[property.name] != nil,
            let heir = inference.entitySources.firstIndex(where: { $0 == above })
        else { return false }
        return !inference.propertySources[heir].contains { $0?.name == property.name }
    }

    /// Returns the description of a property where the entity declares it, or `nil` where it inherits it.
    private static func ownDescription(of property: Entity.Property, in entity: Entity) -> PropertyDescription? {
        entity.description.properties.first { $0.name == property.name }
    }
}
