extension InferredMapping {
    /// Checks the numbered invariants of the type.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "InferredMapping"
        let matched = destination.entities.filter { source(of: $0) != nil }
        try require(
            Set(matched.map { source(of: $0) }).count == matched.count, in: name, invariant: 1,
            otherwise: "an entity is mapped to two entities")
        for entity in matched {
            let past = entity.properties.compactMap { source(of: $0, in: entity) }
            try require(
                Set(past).count == past.count, in: name, invariant: 1,
                otherwise: "a property of \(entity.name) is mapped to two properties")
            let tree = entity.root.family.compactMap { source(of: $0)?.root }
            try require(
                Set(tree).count == 1, in: name, invariant: 2,
                otherwise: "\(entity.root.name) would merge several inheritance trees")
            for property in entity.properties {
                guard let past = source(of: property, in: entity) else { continue }
                try require(
                    fit(past, into: property, of: entity), in: name, invariant: 3,
                    otherwise: "\(entity.name).\(property.name) does not match its source property")
            }
        }
    }

    private func fit(_ past: Entity.Property, into property: Entity.Property, of entity: Entity) -> Bool {
        switch (past, property) {
        case (.attribute(let past), .attribute(let attribute)): past.type == attribute.type || attribute.isTransient
        case (.relationship(let past), .relationship(let relationship)):
            !past.isToMany || relationship.isToMany || relationship.isTransient || isNarrowed(relationship, of: entity)
        case (.attribute, .relationship), (.relationship, .attribute): property.isTransient
        }
    }

    /// Returns `true` if a relationship, or its inverse, has room for fewer links than before.
    package func isNarrowed(_ relationship: Entity.Relationship, of entity: Entity) -> Bool {
        let declared = entity.firstDeclaration(of: .relationship(relationship)).relationship ?? relationship
        return narrowedSet.contains(declared) || declared.inverse.map(narrowedSet.contains) == true
    }
}
