extension ModelValidator {
    /// The position of a relationship's declaration.
    private struct Place: Hashable {
        let entity: Int
        let property: Int
    }

    mutating func checkRelationships() {
        var sound: [Place] = []
        for entity in entities.indices {
            for property in entities[entity].properties.indices {
                guard case .relationship(let relationship) = entities[entity].properties[property] else { continue }
                checkShape(of: relationship, entities[entity].name)
                if checkDestination(of: relationship, entities[entity].name) {
                    sound.append(Place(entity: entity, property: property))
                }
            }
        }
        pairInverses(sound.filter { !isOverride($0) })
        for place in sound where isOverride(place) { adoptInverse(at: place) }
    }

    private mutating func checkShape(of relationship: RelationshipDescription, _ entity: String) {
        let (low, high) = (relationship.minCount, relationship.maxCount)
        // A maximum of -1 occurs in models whose code says `.max`, and means no bound.
        if low < 0 || high < -1 || low > Int(Int32.max) || high > Int(Int32.max) {
            report(
                .invalidCount, in: entity, property: relationship.name,
                message: "Its counts must be between 0 and \(Int32.max).")
        } else if high > 0, low > high {
            report(
                .invalidCount, in: entity, property: relationship.name,
                message: "Its minimum count is greater than its maximum count. Swap them.")
        }
        if relationship.isTransient, relationship.deleteRule == .deny || relationship.deleteRule == .cascade {
            report(
                .invalidDeleteRule, in: entity, property: relationship.name,
                message: """
                    It is transient, so it is empty when an object is loaded, and its delete rule would not always apply. \
                    Use nullify or no action.
                    """)
        }
    }

    private mutating func checkDestination(of relationship: RelationshipDescription, _ entity: String) -> Bool {
        let name = relationship.destinationEntityName
        if positions[name] != nil { return true }
        if name.isEmpty {
            report(
                .unknownDestination, in: entity, property: relationship.name,
                message: "It has no destination. Name an entity.")
        } else {
            let hint = suggestion(for: name, among: positions.keys)
            report(
                .unknownDestination, in: entity, property: relationship.name,
                message: "Its destination \(name) does not exist.\(hint) Use an entity of the model.")
        }
        return false
    }

    /// Completes every pair: a side without an inverse gets the one that names it.
    private mutating func pairInverses(_ places: [Place]) {
        var claims: [Place: Place] = [:]
        for place in places {
            guard let other = inverse(of: place) else { continue }
            let (mine, theirs) = (relationship(at: place), relationship(at: other))
            guard isReturn(theirs, declaredBy: other.entity, to: mine, declaredBy: place.entity) else {
                report(
                    .inverseMismatch, in: entities[place.entity].name, property: mine.name,
                    message: """
                        Its inverse \(entities[other.entity].name).\(theirs.name) leads to \
                        \(theirs.destinationEntityName), but it leads to \(mine.destinationEntityName). The two \
                        relationships must lead to each other's entities.
                        """)
                continue
            }
            if let named = theirs.inverseName, named != mine.name {
                report(
                    .inverseMismatch, in: entities[place.entity].name, property: mine.name,
                    message: """
                        Its inverse \(entities[other.entity].name).\(theirs.name) names \(named) as its inverse, not \
                        \(mine.name). Let both sides name each other, or name the inverse on one side only.
                        """)
            } else if let earlier = claims.updateValue(place, forKey: other), earlier != place {
                report(
                    .inverseMismatch, in: entities[place.entity].name, property: mine.name,
                    message: """
                        \(entities[earlier.entity].name).\(relationship(at: earlier).name) also names \(theirs.name) as \
                        its inverse. A relationship can be the inverse of only one other.
                        """)
            }
        }
        for (place, claimant) in claims {
            setInverse(relationship(at: claimant).name, at: place)
        }
    }

    /// Returns the position of the inverse that a relationship names. Reports a problem if there is none.
    private mutating func inverse(of place: Place) -> Place? {
        let mine = relationship(at: place)
        guard let name = mine.inverseName, let destination = positions[mine.destinationEntityName] else { return nil }
        if let other = self.place(ofRelationship: name, inEntityAt: destination) { return other }
        let entity = entities[place.entity].name
        if destination != place.entity, self.place(ofRelationship: name, inEntityAt: place.entity) != nil {
            report(
                .inverseOnWrongSide, in: entity, property: mine.name,
                message: """
                    Its inverse \(name) belongs to \(entity) itself. Name the relationship of \
                    \(mine.destinationEntityName) that leads back.
                    """)
            return nil
        }
        let candidates = ([destination] + ancestors[destination]).flatMap { entities[$0].relationships.map(\.name) }
        let hint = suggestion(for: name, among: candidates)
        report(
            .unknownInverse, in: entity, property: mine.name,
            message: """
                Its inverse \(name) is not a relationship of \(mine.destinationEntityName).\(hint) Name one that leads \
                back to \(entity).
                """)
        return nil
    }

    /// Returns `true` if a relationship leads back to the entity where another one starts.
    private func isReturn(
        _ theirs: RelationshipDescription, declaredBy theirEntity: Int, to mine: RelationshipDescription,
        declaredBy myEntity: Int
    ) -> Bool {
        theirs.destinationEntityName == entities[myEntity].name
            && mine.destinationEntityName == entities[theirEntity].name
    }

    /// Gives a redeclared relationship the inverse of the inherited declaration.
    private mutating func adoptInverse(at place: Place) {
        let mine = relationship(at: place)
        let above = ancestors[place.entity].compactMap { ancestor in
            entities[ancestor].relationships.first { $0.name == mine.name }
        }.last
        guard let above else { return }
        if let named = mine.inverseName, let inherited = above.inverseName, named != inherited {
            report(
                .inverseMismatch, in: entities[place.entity].name, property: mine.name,
                message: "A superentity declares it with the inverse \(inherited), not \(named). Make both the same.")
        } else if let inherited = above.inverseName {
            setInverse(inherited, at: place)
        }
    }
}

extension ModelValidator {
    private func isOverride(_ place: Place) -> Bool {
        let name = entities[place.entity].properties[place.property].name
        return ancestors[place.entity].contains { entities[$0].properties.contains { $0.name == name } }
    }

    /// Returns the topmost declaration of a relationship, since an override keeps its meaning.
    private func place(ofRelationship name: String, inEntityAt position: Int) -> Place? {
        for entity in ancestors[position].reversed() + [position] {
            for (index, property) in entities[entity].properties.enumerated() where property.name == name {
                if case .relationship = property { return Place(entity: entity, property: index) }
            }
        }
        return nil
    }

    private func relationship(at place: Place) -> RelationshipDescription {
        guard case .relationship(let relationship) = entities[place.entity].properties[place.property] else {
            preconditionFailure("Only relationships have a position")
        }
        return relationship
    }

    private mutating func setInverse(_ name: String, at place: Place) {
        var relationship = relationship(at: place)
        relationship.inverseName = name
        entities[place.entity].properties[place.property] = .relationship(relationship)
    }
}
