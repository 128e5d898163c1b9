/// Links are stored in one of four ways: as a key in each object of a to-one, as a key in each destination of a to-many
/// whose inverse is to-one or that has none, or in pairs. Links read from one form can be written in another as long as no
/// object gets a second link where only one is allowed. Whether one would depends on the data: such relationships are
/// recorded as narrowed.
extension MappingInference {
    mutating func check(_ relationship: Entity.Relationship, against past: Entity.Relationship, of entity: Entity) {
        let isNarrowed = past.isToMany && !relationship.isToMany
        if isNarrowed { narrow(relationship, of: entity) }
        checkDestination(relationship, against: past, of: entity)
        guard let inverse = relationship.inverse, !inverse.isTransient else {
            return checkWithoutInverse(relationship, against: past, of: entity)
        }
        guard let inversePast = self.past(of: inverse) else {
            return checkNewInverse(relationship, against: past, of: entity)
        }
        if past.inverse !== inversePast {
            report(
                .changedInverse, in: entity, property: relationship.name,
                message: """
                    It and \(inverse.name) were not inverses of each other before, so they may hold different objects. \
                    Give one of them another name, and fill it in the application.
                    """)
        }
    }

    /// Checks a to-many without an inverse, which has room for one owner of each destination.
    private mutating func checkWithoutInverse(
        _ relationship: Entity.Relationship, against past: Entity.Relationship, of entity: Entity
    ) {
        guard relationship.isToMany else { return }
        if !past.isToMany || past.storedInverse?.isToMany == true { narrow(relationship, of: entity) }
    }

    /// Checks a new inverse. The links come from this side alone, and the new side must be able to hold them.
    private mutating func checkNewInverse(
        _ relationship: Entity.Relationship, against past: Entity.Relationship, of entity: Entity
    ) {
        guard relationship.inverse?.isToMany == false else { return }
        // The key is already stored in each destination: by a removed to-one, or by the to-many itself.
        let isKeptThere = past.storedInverse.map { !$0.isToMany } ?? past.isToMany
        if !isKeptThere { narrow(relationship, of: entity) }
    }

    /// Checks a relationship that several old ones of sub-entities became. A destination may have had an owner by each of
    /// them, and has room for one.
    mutating func checkCombination(in relationship: Entity.Relationship) {
        let pasts = relationship.entity.family.compactMap { entity in
            propertySources[entity.index][relationship.slot]?.relationship.flatMap {
                $0.entity.firstDeclaration(of: .relationship($0)).relationship
            }
        }
        let hasOneOwner = relationship.storedInverse.map { !$0.isToMany } ?? relationship.isToMany
        guard !relationship.isTransient, hasOneOwner, relationship.inverse !== relationship, Set(pasts).count > 1
        else { return }
        narrow(relationship, of: relationship.entity)
    }

    /// Checks that every object that links may refer to is of the new destination entity, or removed.
    private mutating func checkDestination(
        _ relationship: Entity.Relationship, against past: Entity.Relationship, of entity: Entity
    ) {
        guard let stranger = stranger(from: past.destination, in: relationship.destination) else { return }
        report(
            .changedDestination, in: entity, property: relationship.name,
            message: """
                It may refer to objects of \(stranger.name), which is neither \(relationship.destination.name) nor one of \
                its sub-entities. Give the new relationship another name, and fill it in the application.
                """)
    }

    /// Records that several links of an object may have to become one.
    private mutating func narrow(_ relationship: Entity.Relationship, of entity: Entity) {
        let declared = entity.firstDeclaration(of: .relationship(relationship)).relationship ?? relationship
        guard declared.inverse !== declared else {
            return report(
                .changedCardinality, in: entity, property: relationship.name,
                message: """
                    It was a to-many relationship, is now a to-one relationship, and is its own inverse. Give the new \
                    relationship another name, and fill it in the application.
                    """)
        }
        if let inverse = declared.inverse, narrowedSet.contains(inverse) { return }
        if narrowedSet.insert(declared).inserted { narrowed.append(declared) }
    }
}

extension Entity.Relationship {
    /// The inverse, if stores keep it.
    fileprivate var storedInverse: Entity.Relationship? { inverse.flatMap { $0.isTransient ? nil : $0 } }
}
