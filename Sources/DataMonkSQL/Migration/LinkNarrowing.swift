import DataMonkCore

/// **Value.** The migration of links into a relationship with room for fewer of them: a to-many that becomes a to-one, a
/// to-one that gets a to-one as its inverse, a to-many that loses its to-many inverse.
///
/// ```
/// CREATE TABLE migrating_links_1(owner, element, place)   the links to keep, before any table is changed
/// …                                                       the tables are filled, stay, or are rebuilt
/// UPDATE … SET key = NULL                                 on each side that stores keys
/// UPDATE … SET key = …                                    from migrating_links_1
/// DROP TABLE migrating_links_1
/// ```
/// Of several links with room for one, the first in the old order is kept, or the one with the lowest key if there was no
/// order, unless a ``LinkChoice`` says otherwise. The others were counted as discarded beforehand.
struct LinkNarrowing {
    private let relationship: Entity.Relationship
    private let parts: [LinkRows]
    private let tableName: String
    private let schemas: MigrationSchemas
    /// The rules for the relationship and for its inverse, if a mapping gives any.
    private let choice: LinkChoice?
    private let inverseChoice: LinkChoice?

    /// Returns `nil` if the store has no such links.
    ///
    /// - Parameter schemas: The schemas, with the old tables under their own names.
    init?(of relationship: Entity.Relationship, place: Int, in schemas: MigrationSchemas) {
        parts = LinkRows.all(of: relationship, schemas).map { $0.restrictedToObjects(schemas) }
        if parts.isEmpty { return nil }
        tableName = "migrating_links_\(place)"
        choice = Self.choice(for: relationship, schemas)
        inverseChoice = relationship.inverse.flatMap { Self.choice(for: $0, schemas) }
        self.relationship = relationship
        self.schemas = schemas
    }

    /// Returns the rule for a relationship, if the store has the attribute that decides.
    private static func choice(for relationship: Entity.Relationship, _ schemas: MigrationSchemas) -> LinkChoice? {
        schemas.mapping.choice(for: relationship).flatMap { choice in
            schemas.old.schema(of: choice.attribute.entity)?.column(of: choice.attribute) == nil ? nil : choice
        }
    }

    // MARK: Kept links

    private var links: String {
        parts.map { part in
            let (owner, element) = (
                SQLIdentifier.quotedIfNeeded(part.owner), SQLIdentifier.quotedIfNeeded(part.element)
            )
            let order =
                value(choice, of: element, in: part) ?? part.order.map(SQLIdentifier.quotedIfNeeded) ?? element
            let inverseOrder =
                value(inverseChoice, of: owner, in: part) ?? part.inverseOrder.map(SQLIdentifier.quotedIfNeeded)
                ?? owner
            let columns = [owner, element, order, inverseOrder]
            let list = zip(columns, ["owner", "element", "rank", "inverse_rank"]).map { "\($0) AS \($1)" }
            return "SELECT \(list.joined(separator: ", ")) \(part.selection(schemas))"
        }.joined(separator: " UNION ")
    }

    /// Returns the value that decides on a link, or `nil` if there is no rule.
    private func value(_ choice: LinkChoice?, of key: String, in part: LinkRows) -> String? {
        guard let choice, let schema = schemas.old.schema(of: choice.attribute.entity),
            let column = schema.column(of: choice.attribute)
        else { return nil }
        let links = schemas.identifier(ofOldTable: part.tableName)
        return """
            (SELECT v.\(column.identifier) FROM \(schemas.identifier(ofOldTable: schema.table.name)) v \
            WHERE v.Z_PK = \(links).\(key))
            """
    }

    private static func order(by rank: String, _ choice: LinkChoice?) -> String {
        guard let choice else { return rank }
        return "\(rank) IS NULL, \(rank)\(choice.isAscending ? "" : " DESC")"
    }

    /// A Boolean value indicating whether a mapping says of all links which ones are kept.
    private var isChosen: Bool {
        if parts.count == 1, parts[0].past == nil { return false }
        // Each of several old relationships may have had a link.
        let past = parts.count == 1 ? parts[0].past : nil
        let hadOneElement = past.map { !$0.isToMany } ?? false
        let hadOneOwner = past.map { past in past.inverse.map { !$0.isToMany } ?? past.isToMany } ?? false
        return (choice != nil || relationship.isToMany || hadOneElement)
            && (inverseChoice != nil || !hasOneOwner || hadOneOwner)
    }

    private var hasOneOwner: Bool { relationship.inverse.map { !$0.isToMany } ?? relationship.isToMany }

    private var kept: String {
        var conditions: [String] = []
        if !relationship.isToMany { conditions.append("owner_place = 1") }
        if hasOneOwner { conditions.append("element_place = 1") }
        // The position in the order of whichever side is to-many.
        let (partition, order) = relationship.isToMany ? ("owner", "owner_place") : ("element", "element_place")
        return """
            SELECT owner, element, \(LinkOrder.expression(partition: partition, order: order)) AS place FROM (\
            SELECT owner, element, row_number() OVER (\
            PARTITION BY owner ORDER BY \(Self.order(by: "rank", choice)), element) AS owner_place, \
            row_number() OVER (\
            PARTITION BY element ORDER BY \(Self.order(by: "inverse_rank", inverseChoice)), owner) AS element_place \
            FROM (\(links))) \
            WHERE \(conditions.joined(separator: " AND "))
            """
    }

    /// The links that are not kept.
    var discard: MigrationScript.Discard {
        let past = parts[0].relationship
        return MigrationScript.Discard(
            subject: .surplusLinks,
            sql: "SELECT (SELECT count(*) FROM (\(links))) - (SELECT count(*) FROM (\(kept)))",
            entityName: past.entity.name, propertyName: past.name,
            inverse: past.inverse.map { ($0.entity.name, $0.name) }, isChosen: isChosen)
    }

    // MARK: Statements

    /// The statement that collects the kept links, before any table is changed.
    var collecting: String { "CREATE TABLE \(tableName) AS \(kept)" }

    /// The statements that write the kept links after the tables are filled, and the tables that they write to.
    var distributing: (statements: [String], tables: [String]) {
        var statements: [String] = []
        var tables: [String] = []
        for (side, key, other) in [(relationship, "owner", "element"), (relationship.inverse, "element", "owner")] {
            guard let side, let schema = schemas.new.schema(of: side.entity) else { continue }
            switch schema.storage[side.slot] {
            case .toOne(let storage):
                var order: ColumnSchema?
                if let back = side.inverse,
                    case .toMany(let many)? = schemas.new.schema(of: back.entity)?.storage[back.slot]
                {
                    order = many.orderColumn
                }
                statements += write(
                    table: schema.table.name, column: storage.column, entityColumn: storage.entityColumn, order: order,
                    of: side.entity,
                    to: side.destination, key: key, other: other)
                tables.append(schema.table.name)
            case .toMany(let storage) where !storage.isStoredByInverse:
                statements += write(
                    table: storage.tableName, column: storage.column, entityColumn: storage.entityColumn,
                    order: storage.orderColumn,
                    of: side.destination, to: side.entity, key: other, other: key)
                tables.append(storage.tableName)
            default: break
            }
        }
        return (statements + ["DROP TABLE \(tableName)"], tables)
    }

    /// Returns the statements that write the keys of the other ends into the rows of an entity.
    private func write(
        table: String, column: ColumnSchema, entityColumn: ColumnSchema?, order: ColumnSchema?,
        of entity: Entity, to destination: Entity, key: String, other: String
    ) -> [String] {
        let name = SQLIdentifier.quotedIfNeeded(table)
        let numbers = schemas.new.numbering.familyNumbers(of: entity)
        let isOfEntity = "Z_ENT BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)"
        let columns = [column, entityColumn, order].compactMap(\.?.identifier)
        var values = ["\(column.identifier) = k.\(other)"]
        if let entityColumn, let objects = schemas.new.schema(of: destination)?.table.identifier {
            values.append(
                "\(entityColumn.identifier) = (SELECT d.Z_ENT FROM \(objects) d WHERE d.Z_PK = k.\(other))")
        }
        if let order { values.append("\(order.identifier) = k.place") }
        return [
            """
            UPDATE \(name) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) \
            WHERE \(column.identifier) IS NOT NULL AND \(isOfEntity)
            """,
            """
            UPDATE \(name) SET \(values.joined(separator: ", ")) FROM \(tableName) k \
            WHERE k.\(key) = \(name).Z_PK AND \(name).\(isOfEntity)
            """,
        ]
    }
}
