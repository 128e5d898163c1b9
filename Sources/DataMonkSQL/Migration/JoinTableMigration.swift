import DataMonkCore

/// **Value.** How the table of a many-to-many relationship gets its links: from pairs, or from keys beside one of the ends.
struct JoinTableMigration {
    /// **Value.** Links that an old relationship holds.
    private struct Part {
        let past: Entity.Relationship
        /// The old table that has them.
        let tableName: String
        let owner: String
        let element: String
        /// The element's place among the owner's.
        let order: String?
        /// The owner's place among the element's.
        let inverseOrder: String?
        /// Which owners, and which elements, come over; nil for all.
        let owners: [Entity]?
        let elements: [Entity]?
    }

    let table: JoinTableSchema
    /// The names of the old tables that links come from.
    let sources: [String]
    /// Whether the old table can stay as it is.
    let canStay: Bool

    private let parts: [Part]
    /// Whether the parts' owners are the owners of the table's own relationship.
    private let isForward: Bool

    init(_ table: JoinTableSchema, _ schemas: MigrationSchemas) {
        self.table = table
        let relationship = table.relationship
        let own = Self.parts(of: relationship, schemas)
        let others = own.isEmpty ? relationship.inverse.map { Self.parts(of: $0, schemas) } ?? [] : []
        isForward = !own.isEmpty
        parts = own.isEmpty ? others : own
        sources = parts.map(\.tableName)
        canStay = Self.canStay(table, parts, isForward: isForward, schemas)
    }

    /// A part for each old relationship that became this one.
    private static func parts(of relationship: Entity.Relationship, _ schemas: MigrationSchemas) -> [Part] {
        var parts: [Part] = []
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
            let kept = owners.compactMap { schemas.mapping.source(of: $0) }.filter { !$0.isAbstract }
            if let part = part(declared, owners: kept, schemas) { parts.append(part) }
        }
        return parts
    }

    private static func part(
        _ past: Entity.Relationship, owners: [Entity], _ schemas: MigrationSchemas
    ) -> Part? {
        let allOwners = schemas.objects(of: past.entity).all
        let elements = schemas.objects(of: past.destination)
        let owners = owners.count == allOwners.count ? nil : owners
        let keptElements = elements.kept.count == elements.all.count ? nil : elements.kept
        func part(_ tableName: String, _ owner: String, _ element: String, _ order: String?, _ inverse: String?) -> Part {
            Part(
                past: past, tableName: tableName, owner: owner, element: element, order: order, inverseOrder: inverse,
                owners: owners, elements: keptElements)
        }
        switch schemas.oldStorage(of: past) {
        case .manyToMany(let storage):
            let other = storage.table.storage(of: past.inverse ?? past)
            let inverseOrder = past.inverse === past ? nil : other.orderColumn
            return part(
                storage.table.name, storage.sourceColumn, storage.destinationColumn, storage.orderColumn, inverseOrder)
        case .toMany(let storage):
            return part(storage.tableName, storage.column.name, "Z_PK", storage.orderColumn?.name, nil)
        case .toOne(let storage):
            guard let table = schemas.old.schema(of: past.entity)?.table else { return nil }
            let inverse = past.storedInverse.map { schemas.oldStorage(of: $0) }
            var inverseOrder: String?
            if case .toMany(let inverse) = inverse { inverseOrder = inverse.orderColumn?.name }
            return part(table.name, "Z_PK", storage.column.name, nil, inverseOrder)
        case .none, .value, .composite:
            return nil
        }
    }

    private static func canStay(
        _ table: JoinTableSchema, _ parts: [Part], isForward: Bool, _ schemas: MigrationSchemas
    ) -> Bool {
        guard parts.count == 1, let part = parts.first, part.owners == nil, part.elements == nil,
            case .manyToMany(let old) = schemas.oldStorage(of: part.past)
        else { return false }
        let owner = isForward ? table.sourceColumn : table.destinationColumn
        return old.table.createStatement == table.createStatement && old.sourceColumn == owner
    }

    // MARK: Statements

    /// Brings the links over from where the old tables are parked.
    func copies(_ schemas: MigrationSchemas) -> [MigrationPlan.Statement] {
        parts.map { part in
            MigrationPlan.Statement(
                sql: copy(part, schemas), entityName: table.relationship.entity.name, weighingTable: part.tableName)
        }
    }

    private func copy(_ part: Part, _ schemas: MigrationSchemas) -> String {
        let (owner, element) = (SQLIdentifier.quotedIfNeeded(part.owner), SQLIdentifier.quotedIfNeeded(part.element))
        let (own, inverse) =
            isForward
            ? (table.destinationOrderColumn, table.sourceOrderColumn)
            : (table.sourceOrderColumn, table.destinationOrderColumn)
        var columns = isForward ? [table.sourceColumn, table.destinationColumn] : [table.destinationColumn, table.sourceColumn]
        var values = [owner, element]
        if let own {
            columns.append(own)
            values.append(part.order.map(SQLIdentifier.quotedIfNeeded) ?? LinkOrder.expression(partition: owner, order: element))
        }
        if let inverse {
            columns.append(inverse)
            values.append(
                part.inverseOrder.map(SQLIdentifier.quotedIfNeeded) ?? LinkOrder.expression(partition: element, order: owner))
        }
        return """
            INSERT OR IGNORE INTO \(SQLIdentifier.quotedIfNeeded(table.name))\
            (\(columns.map(SQLIdentifier.quotedIfNeeded).joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) \(selection(part, schemas))
            """
    }

    /// Which links of a part come over.
    private func selection(_ part: Part, _ schemas: MigrationSchemas) -> String {
        let (owner, element) = (SQLIdentifier.quotedIfNeeded(part.owner), SQLIdentifier.quotedIfNeeded(part.element))
        var conditions = ["\(owner) IS NOT NULL", "\(element) IS NOT NULL"]
        if let owners = part.owners { conditions.append(schemas.condition(column: owner, holdsKeyOf: owners)) }
        if let elements = part.elements { conditions.append(schemas.condition(column: element, holdsKeyOf: elements)) }
        return """
            FROM \(schemas.identifier(ofOldTable: part.tableName)) WHERE \(conditions.joined(separator: " AND "))
            """
    }

    /// How many links there are, if they come from one old relationship: of several, some may be the same.
    func countBefore(_ schemas: MigrationSchemas) -> String? {
        parts.count == 1 ? "SELECT count(*) \(selection(parts[0], schemas))" : nil
    }
}
