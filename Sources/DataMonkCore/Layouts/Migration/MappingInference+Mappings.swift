/// **Value.** An attribute's value in the new version, made of values in the old one.
package struct AttributeComputation: Sendable {
    /// The attribute in the new version.
    package let attribute: Entity.Attribute
    /// The attributes in the old version that are read.
    package let sources: [Entity.Attribute]
    /// Returns the value, or `nil` if there is none.
    package let compute: @Sendable (SourceRow, AttributeType) throws -> ManagedValue?

    /// Returns `true` if the attribute can have a value, which is not null if the attribute is required. A derived one can
    /// be null as what it is derived from.
    package func accepts(_ value: ManagedValue) -> Bool {
        attribute.hasRoom(for: value) && (attribute.isOptional || attribute.isDerived || !value.isNull)
    }
}

extension Entity.Attribute {
    /// Returns `true` if a value is one of the attribute's type and range, or null.
    func hasRoom(for value: ManagedValue) -> Bool {
        accepts(value) && !value.isNotStorable && description.hasRoom(for: value)
    }
}

/// Sources by hand take precedence over names and identifiers, and are checked like them.
extension MappingInference {
    /// Returns the sources of entities that mappings name, by the index of the new entity, and the old entities that are to
    /// have no destination.
    mutating func fixedEntities() -> (sources: [Int: Int?], removed: Set<Int>) {
        var sources: [Int: Int?] = [:]
        var (removed, used) = (Set<Int>(), Set<Int>())
        reportRepetitions()
        for mapping in mappings {
            if mapping.rule == .remove {
                guard let old = source.entitiesByName[mapping.entityName] else {
                    reportMapping(mapping.entityName, nil, "The old version has no such entity.")
                    continue
                }
                removed.insert(old.index)
                continue
            }
            guard let entity = destination.entitiesByName[mapping.entityName] else {
                reportMapping(mapping.entityName, nil, "The new version has no such entity.")
                continue
            }
            for property in mapping.properties where entity.propertiesByName[property.name] == nil {
                reportMapping(entity.name, property.name, "The new version has no such property.")
            }
            if mapping.rule == .add { sources[entity.index] = .some(nil) }
            guard case .transform(let name?) = mapping.rule else { continue }
            guard let old = source.entitiesByName[name] else {
                reportMapping(entity.name, nil, "Its source \(name) is no entity of the old version.")
                continue
            }
            if !used.insert(old.index).inserted || sources[entity.index] != nil {
                reportMapping(entity.name, nil, "It or its source \(name) is mapped twice.")
            }
            sources[entity.index] = old.index
        }
        return (sources, removed)
    }

    /// Reports entities and properties that are named twice, and sources that are removed.
    private mutating func reportRepetitions() {
        var (named, used) = (Set<String>(), Set<String>())
        let removed = mappings.filter { $0.rule == .remove }.map(\.entityName)
        for name in removed where !used.insert(name).inserted { reportMapping(name, nil, "It is removed twice.") }
        for mapping in mappings where mapping.rule != .remove {
            if !named.insert(mapping.entityName).inserted {
                reportMapping(mapping.entityName, nil, "It has two mappings.")
            }
            if case .transform(let name?) = mapping.rule, removed.contains(name) {
                reportMapping(mapping.entityName, nil, "Its source \(name) is removed by the same mapping.")
            }
            var properties: Set<String> = []
            for property in mapping.properties where !properties.insert(property.name).inserted {
                reportMapping(mapping.entityName, property.name, "It is mapped twice.")
            }
        }
    }

    /// Reports mappings that transform objects of entities of which there were none, if some objects go: the name of the
    /// source may be missing.
    ///
    /// - Parameter sources: The places of the old entities, in the order of the new ones.
    mutating func checkTransformations(_ sources: [Int?]) {
        let kept = Set(sources.compactMap(\.self))
        let removed = Set(mappings.filter { $0.rule == .remove }.map(\.entityName))
        let gone = held.contains { !$0.isAbstract && !kept.contains($0.index) && !removed.contains($0.name) }
        if !gone { return }
        for mapping in mappings where mapping.rule == .transform(from: nil) {
            guard let entity = destination.entitiesByName[mapping.entityName] else { continue }
            if entity.family.allSatisfy({ sources[$0.index] == nil }) {
                reportMapping(
                    entity.name, nil, "No entity of the old version is its source. Name the source with from:.")
            }
        }
    }

    /// Returns the sources of an entity's properties that mappings name, by slot, and notes what is to be computed.
    mutating func fixedProperties(of entity: Entity, _ old: Entity) -> [Int: Int?] {
        var sources: [Int: Int?] = [:]
        for mapping in propertyMappings(of: entity) {
            guard let property = entity.propertiesByName[mapping.name] else { continue }
            switch mapping.rule {
            case .none: sources[property.slot] = .some(nil)
            case .source(let name):
                if let past = old.propertiesByName[name], !sources.values.contains(past.slot) {
                    sources[property.slot] = past.slot
                } else {
                    reportMapping(
                        entity.name, mapping.name, "Its source \(name) is no property of \(old.name), or mapped twice.")
                }
            case .chosen:
                guard let slot = choose(property, of: entity, from: old, by: mapping) else { continue }
                if sources.values.contains(slot) {
                    reportMapping(entity.name, mapping.name, "Its source is mapped twice.")
                }
                sources[property.slot] = slot
            case .computed(let names, let body):
                sources[property.slot] = .some(nil)
                let attributes = names.compactMap { old.propertiesByName[$0]?.attribute }.filter(isPlain)
                guard let attribute = property.attribute, isPlain(attribute), attributes.count == names.count else {
                    reportMapping(
                        entity.name, mapping.name,
                        """
                        Only stored attributes can be computed, and from such of \(old.name): none that are derived, \
                        transient, composite, or with external storage.
                        """)
                    continue
                }
                computations[entity.index].append(
                    AttributeComputation(attribute: attribute, sources: attributes, compute: body))
            }
        }
        return sources
    }

    /// The mappings of an entity's properties, its own before those of its superentities.
    private func propertyMappings(of entity: Entity) -> [PropertyMapping] {
        var found: [PropertyMapping] = []
        var next: Entity? = entity
        while let entity = next {
            for mapping in mappingsByName[entity.name] ?? [] {
                found += mapping.properties.filter { property in !found.contains { $0.name == property.name } }
            }
            next = entity.superentity
        }
        return found
    }

    func isPlain(_ attribute: Entity.Attribute) -> Bool {
        !attribute.isDerived && !attribute.isTransient && attribute.type != .composite
            && !attribute.description.allowsExternalBinaryDataStorage
    }

    mutating func reportMapping(_ entityName: String, _ propertyName: String?, _ message: String) {
        report(
            MigrationError.Problem(
                kind: .invalidMapping, entityName: entityName, propertyName: propertyName,
                message: "\(message) Correct the mapping."))
    }
}
