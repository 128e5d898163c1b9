import DataMonk

/// A relationship as the reference knows it: plain words, taken from what the model's author wrote.
struct GraphRelation: Hashable, Sendable {
    let entity: String
    let name: String
    let destination: String
    /// The destination and what inherits from it.
    let destinationKinds: Set<String>
    let isToMany: Bool
    let isOrdered: Bool
    let deleteRule: DeleteRule
    let inverseName: String?
    let inverseIsToMany: Bool
    let inverseIsOrdered: Bool

    init(_ relationship: Entity.Relationship) {
        entity = relationship.entity.name
        name = relationship.name
        destination = relationship.destination.name
        destinationKinds = Set(relationship.destination.family.map(\.name))
        isToMany = relationship.isToMany
        isOrdered = relationship.isOrdered
        deleteRule = relationship.deleteRule
        inverseName = relationship.inverse?.name
        inverseIsToMany = relationship.inverse?.isToMany ?? false
        inverseIsOrdered = relationship.inverse?.isOrdered ?? false
    }

    var isManyToMany: Bool { isToMany && inverseIsToMany }
    var isOneToMany: Bool { isToMany && inverseName != nil && !inverseIsToMany }

    /// The pair of objects that this relationship joins, written the same from both sides.
    func link(_ owner: Int, _ other: Int) -> ReferenceLink {
        let mine = "\(entity).\(name)"
        let theirs = "\(destination).\(inverseName ?? "")"
        if mine == theirs { return ReferenceLink(name: mine, first: min(owner, other), second: max(owner, other)) }
        return mine < theirs
            ? ReferenceLink(name: mine, first: owner, second: other)
            : ReferenceLink(name: theirs, first: other, second: owner)
    }

    /// The object at the other end of a link, if the owner is at this relationship's end.
    func other(_ link: ReferenceLink, from owner: Int) -> Int? {
        let mine = "\(entity).\(name)"
        let theirs = "\(destination).\(inverseName ?? "")"
        guard link.name == min(mine, theirs) else { return nil }
        if link.first == owner, mine <= theirs { return link.second }
        if link.second == owner, theirs <= mine { return link.first }
        return nil
    }
}

/// The relationships of the random graphs' model.
struct GraphSchema: Sendable {
    /// By entity, inherited ones included.
    let relations: [String: [GraphRelation]]
    /// Names of the attributes with values to play with, by entity.
    let attributes: [String: [String]]
    /// The entity and those it inherits from, by entity.
    let ancestry: [String: Set<String>]

    init(_ model: ManagedObjectModel) {
        func byName<Value>(_ value: (Entity) -> Value) -> [String: Value] {
            Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, value($0)) })
        }
        relations = byName { $0.relationships.map(GraphRelation.init) }
        attributes = byName { $0.attributes.map(\.name).filter { $0 != "number" } }
        ancestry = byName { Set($0.ancestors.map(\.name) + [$0.name]) }
    }

    func relation(_ kind: String, _ name: String) -> GraphRelation? { relations[kind]?.first { $0.name == name } }
    func inverse(of relation: GraphRelation) -> GraphRelation? {
        relation.inverseName.flatMap { self.relation(relation.destination, $0) }
    }
    func isKind(_ kind: String, of other: String) -> Bool { ancestry[kind]?.contains(other) == true }
}
