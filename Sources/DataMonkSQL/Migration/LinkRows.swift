import DataMonkCore

/// **Value.** The rows of old tables that contain the links of a relationship between some of its owners and elements.
struct LinkRows {
    /// The relationship in the old version.
    let relationship: Entity.Relationship
    /// The old table that contains the links.
    let tableName: String
    /// The column with the key of the owner, the object whose relationship it is.
    let owner: String
    /// The column with the key of the element, the destination.
    let element: String
    /// The column with the element's position among the owner's elements.
    private(set) var order: String?
    /// The column with the owner's position among the element's owners.
    private(set) var inverseOrder: String?
    /// The entities of the owners, and of the elements; `nil` for all.
    let owners: [Entity]?
    let elements: [Entity]?

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
            (tableName, owner, element) = (storage.tableName, storage.column.name, "Z_PK")
            order = storage.orderColumn?.name
        case .toOne(let storage):
            guard let table = schemas.old.schema(of: relationship.entity)?.table else { return nil }
            (tableName, owner, element) = (table.name, "Z_PK", storage.column.name)
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

    /// Returns the clauses after the select list of a query for the links.
    func selection(_ schemas: MigrationSchemas) -> String {
        let (owner, element) = (SQLIdentifier.quotedIfNeeded(owner), SQLIdentifier.quotedIfNeeded(element))
        var conditions = ["\(owner) IS NOT NULL", "\(element) IS NOT NULL"]
        if let owners { conditions.append(schemas.condition(column: owner, holdsKeyOf: owners)) }
        if let elements { conditions.append(schemas.condition(column: element, holdsKeyOf: elements)) }
        return "FROM \(schemas.identifier(ofOldTable: tableName)) WHERE \(conditions.joined(separator: " AND "))"
    }

    /// Returns a query that counts the links.
    func count(_ schemas: MigrationSchemas) -> String { "SELECT count(*) \(selection(schemas))" }
}

extension LinkRows {
    /// Returns the rows of each old relationship that became the new one.
    static func all(of relationship: Entity.Relationship, _ schemas: MigrationSchemas) -> [LinkRows] {
        var parts: [LinkRows] = []
        var seen: Set<Entity.Relationship> = []
        for entity in relationship.entity.family {
            guard let past = schemas.mapping.source(of: relationship, in: entity),
                let declared = past.entity.firstDeclaration(of: .relationship(past)).relationship,
                seen.insert(declared).inserted
            else { continue }
            let owners = relationship.entity.family.filter { owner in
                schemas.mapping.source(of: relationship, in: owner)
                    .flatMap { $0.entity.firstDeclaration(of: .relationship($0)).relationship } === declared
            }
            let kept = owners.compactMap { schemas.mapping.source(of: $0) }.filter { schemas.keepsObjects(of: $0) }
            let elements = schemas.objects(of: declared.destination).kept
            if let part = LinkRows(of: declared, from: kept, to: elements, schemas) { parts.append(part) }
        }
        return parts
    }
}
