/// **Value.** The rule by which a to-one that was a to-many keeps one of several objects.
package struct LinkChoice: Sendable {
    /// The entity in the new version whose objects have the to-one.
    let entity: Entity
    /// The to-one in the new version, as it is first declared.
    package let relationship: Entity.Relationship
    /// The attribute of the old destination that decides, as it is first declared.
    package let attribute: Entity.Attribute
    /// A Boolean value indicating whether the least value decides, or the greatest.
    package let isAscending: Bool
}

extension MappingInference {
    /// Notes the rule of a mapping for a relationship.
    ///
    /// - Returns: The slot of the old relationship, or `nil` if the mapping was reported.
    mutating func choose(
        _ property: Entity.Property, of entity: Entity, from old: Entity, by mapping: PropertyMapping
    ) -> Int? {
        guard case .chosen(let source, let key, let isAscending) = mapping.rule else { return nil }
        guard let past = old.propertiesByName[source]?.relationship, past.isToMany,
            let relationship = property.relationship, !relationship.isToMany
        else {
            reportMapping(
                entity.name, mapping.name,
                "Only a to-one can be chosen from a to-many, and \(source) is none of \(old.name).")
            return nil
        }
        guard let attribute = past.destination.attribute(named: key), isPlain(attribute) else {
            reportMapping(
                entity.name, mapping.name,
                "It is chosen by \(key), which is no stored attribute of \(past.destination.name) in the old version.")
            return nil
        }
        choices.append(
            LinkChoice(
                entity: entity, relationship: entity.firstDeclaration(of: property).relationship ?? relationship,
                attribute: past.destination.firstDeclaration(of: .attribute(attribute)).attribute ?? attribute,
                isAscending: isAscending))
        return past.slot
    }

    /// Reports the entities that do not choose as those do with which they share a to-one.
    mutating func checkChoices() {
        for entity in destination.entities {
            for relationship in entity.properties.compactMap(\.relationship) where !relationship.isToMany {
                guard propertySources[entity.index][relationship.slot]?.relationship?.isToMany == true else { continue }
                let declared = entity.firstDeclaration(of: .relationship(relationship)).relationship ?? relationship
                let others = choices.filter { $0.relationship === declared }
                let own = others.first { $0.entity === entity }
                let isAlike = others.allSatisfy {
                    $0.attribute === own?.attribute && $0.isAscending == own?.isAscending
                }
                if isAlike { continue }
                reportMapping(
                    entity.name, relationship.name,
                    """
                    All entities that have it choose alike, by one attribute and in one direction. Give the mapping to \
                    \(declared.entity.name), which declares it.
                    """)
            }
        }
    }
}
