import DataMonk
import DataMonkTesting

extension MigrationSketch {
    /// Moves a relationship to the superentity, or to some of the sub-entities.
    mutating func moveRelationship() {
        guard let (entity, relationship) = relationships().randomElement(using: &random) else { return }
        let partner = partner(of: relationship)
        if let partner, touched.contains(partner.name) || partner.name == relationship.name { return }
        if let parent = entities[place(entity)].superentityName, Bool.random(using: &random) {
            let others = family(parent).filter { $0 != entity && self.relationship(relationship.name, of: $0) != nil }
            if others.isEmpty {
                moveUp(relationship, partner, from: entity, to: parent)
            } else {
                merge(relationship, of: [entity] + others, into: parent)
            }
            return
        }
        let targets = children(entity).filter { _ in Bool.random(using: &random) }
        if !targets.isEmpty { moveDown(relationship, partner, from: entity, to: targets) }
    }

    private func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
        entities[place(entity)].relationships.first { $0.name == name }
    }

    private mutating func remove(_ name: String, of entity: String) {
        let index = place(entity)
        entities[index].properties.removeAll { $0.name == name }
        touched.insert(name)
    }

    private mutating func add(_ relationship: RelationshipDescription, of entity: String) {
        entities[place(entity)].properties.append(.relationship(relationship))
        touched.insert(relationship.name)
    }

    /// All objects keep their links, and those of other sub-entities have none yet.
    private mutating func moveUp(
        _ relationship: RelationshipDescription, _ partner: RelationshipDescription?, from entity: String,
        to parent: String
    ) {
        log.append("move \(entity).\(relationship.name) up to \(parent)")
        remove(relationship.name, of: entity)
        add(relationship, of: parent)
        for object in objects(parent) where expected[object][relationship.name] == nil {
            expected.objects[object]?[relationship.name] = ""
        }
        guard var partner else { return }
        partner.destinationEntityName = parent
        replace(partner.name, of: relationship.destinationEntityName, with: .relationship(partner))
    }

    /// Makes one relationship of those of several sub-entities, where its inverse has room for the links of all of them.
    private mutating func merge(_ relationship: RelationshipDescription, of owners: [String], into parent: String) {
        let pasts = owners.compactMap { self.relationship(relationship.name, of: $0) }
        let partners = pasts.compactMap { partner(of: $0) }
        let destination = relationship.destinationEntityName
        let isAlike = pasts.allSatisfy {
            $0.isToMany == relationship.isToMany && $0.isOrdered == relationship.isOrdered
                && $0.destinationEntityName == destination
        }
        guard isAlike, owners.allSatisfy(children(parent).contains),
            partners.isEmpty ? !relationship.isToMany : partners.count == pasts.count,
            partners.allSatisfy({ $0.isToMany && !touched.contains($0.name) && $0.name != relationship.name })
        else { return }
        log.append("merge \(owners).\(relationship.name) into \(parent)")
        var merged = relationship
        merged.inverseName = partners.isEmpty ? nil : newName("Back")
        for owner in owners { remove(relationship.name, of: owner) }
        add(merged, of: parent)
        for object in objects(parent) where expected[object][relationship.name] == nil {
            expected.objects[object]?[relationship.name] = ""
        }
        guard let inverse = merged.inverseName else { return }
        for partner in partners { remove(partner.name, of: destination) }
        add(
            RelationshipDescription(inverse, to: parent, inverse: relationship.name, isToMany: true), of: destination)
        for object in objects(destination) {
            let names = partners.flatMap { partner in
                expected.objects[object]?.removeValue(forKey: partner.name)?.split(separator: " ") ?? []
            }
            expected.objects[object]?[inverse] = names.sorted().joined(separator: " ")
        }
    }

    /// Gives a relationship to sub-entities, each with an inverse of its own. All other objects lose their links.
    private mutating func moveDown(
        _ relationship: RelationshipDescription, _ partner: RelationshipDescription?, from entity: String,
        to targets: [String]
    ) {
        log.append("move \(entity).\(relationship.name) down to \(targets)")
        let (values, destination) = (expected, relationship.destinationEntityName)
        let keepers = Set(targets.flatMap(objects))
        let losers = objects(entity).filter { !keepers.contains($0) }
        var sides = [(entity: entity, property: relationship.name)]
        if let partner { sides.append((destination, partner.name)) }
        losses.noteLinks(
            sides,
            pairs: losers.flatMap { loser in
                (values[loser][relationship.name] ?? "").split(separator: " ").map { (loser, String($0)) }
            })
        remove(relationship.name, of: entity)
        for loser in losers { expected.objects[loser]?[relationship.name] = nil }
        if let partner {
            remove(partner.name, of: destination)
            for object in objects(destination) { expected.objects[object]?[partner.name] = nil }
        }
        for target in targets {
            var moved = relationship
            moved.inverseName = partner.map { addInverse(of: moved, like: $0, to: target, values) }
            add(moved, of: target)
        }
    }

    /// Adds an inverse of a relationship of a sub-entity, with the links that the inverse had before.
    ///
    /// - Returns: The inverse's name.
    private mutating func addInverse(
        of relationship: RelationshipDescription, like past: RelationshipDescription, to target: String,
        _ values: GraphDump
    ) -> String {
        var inverse = past
        inverse.name = newName("Back")
        inverse.renamingIdentifier = nil
        inverse.destinationEntityName = target
        add(inverse, of: relationship.destinationEntityName)
        let owners = Set(objects(target))
        for object in objects(relationship.destinationEntityName) {
            let names = values[object][past.name]?.split(separator: " ").map(String.init) ?? []
            expected.objects[object]?[inverse.name] = names.filter(owners.contains).joined(separator: " ")
        }
        return inverse.name
    }
}
