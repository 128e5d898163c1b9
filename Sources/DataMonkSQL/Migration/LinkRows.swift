import DataMonkCore

/// **Value.** The rows of old tables that contain the links of a relationship between some of its owners and elements.
struct LinkRows {
    /// The relationship in the old version.
    let relationship: Entity.Relationship
    /// Indicates whether the owners are the objects that the old relationship leads to.
    private(set) var isReversed = false
    /// The old table that contains the links.
    let tableName: String
    /// The column with the key of the owner, the object whose relationship it is.
    private(set) var owner: String
    /// The column with the key of the element, the destination.
    private(set) var element: String
    /// The column with the element's position among the owner's elements.
    private(set) var order: String?
    /// The column with the owner's position among the element's owners.
    private(set) var inverseOrder: String?
    /// The entities of the owners, and of the elements; `nil` for all.
    private(set) var owners: [Entity]?
    private(set) var elements: [Entity]?
    /// The entities of the owners, and of the elements, that still have the relationship, if neither are all: a link stays
    /// where one of its ends has it.
    private var holders: (owners: [Entity], elements: [Entity])?

    /// Finds the links of an old relationship. Returns `nil` if the store does not keep them.
    ///
    /// - Parameters:
    ///   - owners: The entities of the owners.
    ///   - elements: The entities of the elements.
    init?(
        of relationship: Entity.Relationship, from owners: [Entity], to elements: [Entity], _ schemas: MigrationSchemas
    ) {
        switch schemas.oldStorage(of: relationship) {
        case .manyToMany(let storage):
            let other = storage.table.storage(of: relationship.inverse ?? relationship)
            (tableName, owner, element) = (storage.table.name, storage.sourceColumn, storage.destinationColumn)
            order = storage.orderColumn
            inverseOrder = relationship.inverse === relationship ? nil : other.orderColumn
        case .toMany(let storage):
            (tableName, owner, element) = (storage.tableName, storage.column.name, Self.ownKey)
            order = storage.orderColumn?.name
        case .toOne(let storage):
            guard let table = schemas.old.schema(of: relationship.entity)?.table else { return nil }
            (tableName, owner, element) = (table.name, Self.ownKey, storage.column.name)
            if case .toMany(let inverse) = relationship.storedInverse.map({ schemas.oldStorage(of: $0) }) {
                inverseOrder = inverse.orderColumn?.name
            }
        case .none, .value, .composite:
            return nil
        }
        self.relationship = relationship
        self.owners = owners.count == schemas.objects(of: relationship.entity).all.count ? nil : owners
        self.elements = elements.count == schemas.objects(of: relationship.destination).all.count ? nil : elements
    }

    /// Returns the links both of whose ends exist. A key may dangle, and must not count as a link beside another one.
    func restrictedToObjects(_ schemas: MigrationSchemas) -> LinkRows {
        var links = self
        let ends =
            isReversed
            ? (relationship.destination, relationship.entity) : (relationship.entity, relationship.destination)
        if owner != Self.ownKey { links.owners = owners ?? schemas.objects(of: ends.0).kept }
        if element != Self.ownKey { links.elements = elements ?? schemas.objects(of: ends.1).kept }
        return links
    }

    /// Returns `true` if objects of an old entity may be among the elements.
    func mayLead(to entity: Entity, _ schemas: MigrationSchemas) -> Bool {
        let end = isReversed ? relationship.entity : relationship.destination
        return (elements ?? schemas.objects(of: end).all).contains(entity)
    }

    /// A Boolean value indicating whether these are all rows of the table that are links.
    var isWhole: Bool { owners == nil && elements == nil && holders == nil }

    /// The column with the key of the row's own object.
    private static let ownKey = "Z_PK"

    /// Returns the clauses after the select list of a query for the links.
    func selection(_ schemas: MigrationSchemas) -> String {
        let (owner, element) = (SQLIdentifier.quotedIfNeeded(owner), SQLIdentifier.quotedIfNeeded(element))
        var conditions = ["\(owner) IS NOT NULL", "\(element) IS NOT NULL"]
        if let owners { conditions.append(schemas.condition(column: owner, holdsKeyOf: owners)) }
        if let elements { conditions.append(schemas.condition(column: element, holdsKeyOf: elements)) }
        if let holders {
            let isOwned = schemas.condition(column: owner, holdsKeyOf: holders.owners)
            conditions.append("(\(isOwned) OR \(schemas.condition(column: element, holdsKeyOf: holders.elements)))")
        }
        return "FROM \(schemas.identifier(ofOldTable: tableName)) WHERE \(conditions.joined(separator: " AND "))"
    }

    /// Returns a query for the links with their positions, or what stands for those that there are none of: `owner`,
    /// `element`, `rank`, `inverse_rank`.
    func ranked(_ schemas: MigrationSchemas) -> String {
        let columns = [owner, element, order ?? element, inverseOrder ?? owner].map(SQLIdentifier.quotedIfNeeded)
        let list = zip(columns, ["owner", "element", "rank", "inverse_rank"]).map { "\($0) AS \($1)" }
        return "SELECT \(list.joined(separator: ", ")) \(selection(schemas))"
    }

    /// Returns a query that counts the links.
    func count(_ schemas: MigrationSchemas) -> String { "SELECT count(*) \(selection(schemas))" }
}

extension LinkRows {
    /// Returns the links of each pair of old relationships that became a new relationship, seen from its owners. A pair is
    /// found by either of its sides, and so is each of its links.
    static func all(of relationship: Entity.Relationship, _ schemas: MigrationSchemas) -> [LinkRows] {
        var parts = pasts(of: relationship, schemas)
        for part in relationship.inverse.map({ pasts(of: $0, schemas) }) ?? [] {
            if let place = parts.firstIndex(where: { $0.relationship.storedInverse === part.relationship }) {
                parts[place].join(part.seenFromElements())
            } else {
                parts.append(part.seenFromElements())
            }
        }
        return parts
    }

    /// Adds the links that the other side of the pair has kept.
    private mutating func join(_ other: LinkRows) {
        let (holders, all) = (owners, other.owners)
        owners = all
        // Each side names the entities that still have the relationship, and all at the other end.
        if let holders, holders.count < all?.count ?? .max, let others = other.elements,
            others.count < elements?.count ?? .max
        {
            self.holders = (holders, others)
        }
    }

    /// Returns the links of each old relationship that became the new one itself.
    static func pasts(of relationship: Entity.Relationship, _ schemas: MigrationSchemas) -> [LinkRows] {
        let family = relationship.entity.family.compactMap { entity in
            schemas.mapping.declaredSource(of: relationship, in: entity).map { (entity: entity, past: $0) }
        }
        var parts: [LinkRows] = []
        var seen: Set<Entity.Relationship> = []
        for (_, past) in family where seen.insert(past).inserted {
            let owners = family.filter { $0.past === past }.compactMap { schemas.mapping.source(of: $0.entity) }
            let elements = schemas.objects(of: past.destination).kept
            let kept = owners.filter { schemas.keepsObjects(of: $0) }
            if let part = LinkRows(of: past, from: kept, to: elements, schemas) { parts.append(part) }
        }
        return parts
    }

    private func seenFromElements() -> LinkRows {
        var reversed = self
        (reversed.owner, reversed.element) = (element, owner)
        (reversed.order, reversed.inverseOrder) = (inverseOrder, order)
        (reversed.owners, reversed.elements) = (elements, owners)
        reversed.holders = holders.map { ($0.elements, $0.owners) }
        reversed.isReversed.toggle()
        return reversed
    }

    /// The old relationship of the owners; `nil` if they had none, so that only the elements knew of the links.
    var past: Entity.Relationship? { isReversed ? relationship.storedInverse : relationship }
}
