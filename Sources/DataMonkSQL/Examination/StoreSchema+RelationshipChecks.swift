import DataMonkCore

/// The checks of relationships. Each column is checked once: by the side that it belongs to.
extension StoreSchema {
    func checks(of relationship: Entity.Relationship, _ owner: EntitySchema) -> [RowCheck] {
        guard let destination = schema(of: relationship.destination) else { return [] }
        switch owner.storage[relationship.slot] {
        case .toOne(let storage):
            return [
                danglingToOne(storage, owner, destination), wrongEntity(storage, owner, destination),
                disagreement(storage, owner, destination),
            ].compactMap(\.self)
        case .toMany(let storage):
            let dangling = storage.isStoredByInverse ? [] : [danglingToMany(storage, owner, destination)]
            return dangling + orderChecks(storage, owner)
        case .none, .value, .composite, .manyToMany:
            return []
        }
    }

    // MARK: Keys

    private func danglingToOne(
        _ storage: ToOneStorage, _ owner: EntitySchema, _ destination: EntitySchema
    ) -> RowCheck {
        let (table, key) = (owner.table, storage.column.identifier)
        let condition =
            "\(isKind(of: owner, "t")) AND t.\(key) IS NOT NULL AND NOT \(exists(destination, key: "t.\(key)"))"
        let columns = [key, storage.entityColumn?.identifier, orderColumn(ofInverseOf: storage.relationship)]
        return RowCheck(
            .danglingReference, entityName: owner.entity.name, propertyName: storage.relationship.name,
            table: table.name, select: "SELECT t.Z_PK FROM \(table.identifier) t WHERE \(condition) ORDER BY t.Z_PK",
            problem: "\(storage.relationship.name) leads to no object of \(destination.entity.name)",
            repair: clearing(columns, table.identifier, condition))
    }

    private func danglingToMany(
        _ storage: ToManyStorage, _ owner: EntitySchema, _ destination: EntitySchema
    ) -> RowCheck {
        let key = storage.column.identifier
        let table = SQLIdentifier.quotedIfNeeded(storage.tableName)
        let condition = "t.\(key) IS NOT NULL AND NOT \(exists(owner, key: "t.\(key)"))"
        let columns = [key, storage.entityColumn?.identifier, storage.orderColumn?.identifier]
        return RowCheck(
            .danglingReference, entityName: owner.entity.name, propertyName: storage.relationship.name,
            table: storage.tableName, select: "SELECT t.Z_PK FROM \(table) t WHERE \(condition) ORDER BY t.Z_PK",
            problem:
                "the object is in \(storage.relationship.name) of an object of \(owner.entity.name) that does not exist",
            repair: clearing(columns, table, condition))
    }

    private func clearing(_ columns: [String?], _ table: String, _ condition: String) -> RowCheck.Correction {
        let list = columns.compactMap(\.self).map { "\($0) = NULL" }.joined(separator: ", ")
        return .init(["UPDATE \(table) AS t SET \(list) WHERE \(condition)"], "clears the reference", losingCount: 1)
    }

    /// The column of a to-one's table that holds its position in the inverse, if that is ordered.
    private func orderColumn(ofInverseOf relationship: Entity.Relationship) -> String? {
        guard let inverse = relationship.storedInverse, let schema = schema(of: inverse.entity),
            case .toMany(let storage) = schema.storage[inverse.slot]
        else { return nil }
        return storage.orderColumn?.identifier
    }

    private func wrongEntity(
        _ storage: ToOneStorage, _ owner: EntitySchema, _ destination: EntitySchema
    ) -> RowCheck? {
        guard let number = storage.entityColumn?.identifier else { return nil }
        let (table, key) = (owner.table, storage.column.identifier)
        let stored = "(SELECT d.Z_ENT FROM \(destination.table.identifier) d WHERE d.Z_PK = t.\(key))"
        let condition =
            "\(isKind(of: owner, "t")) AND \(exists(destination, key: "t.\(key)")) AND t.\(number) IS NOT \(stored)"
        return RowCheck(
            .wrongReferenceEntity, entityName: owner.entity.name, propertyName: storage.relationship.name,
            table: table.name, select: "SELECT t.Z_PK FROM \(table.identifier) t WHERE \(condition) ORDER BY t.Z_PK",
            problem:
                "\(storage.relationship.name) names another entity (\(number)) than that of the object it leads to",
            repair: .init(
                ["UPDATE \(table.identifier) AS t SET \(number) = \(stored) WHERE \(condition)"],
                "sets it to the object's"))
    }

    // MARK: One-to-one

    /// The rows whose destination does not refer back.
    ///
    /// If the destination refers to nothing and nobody else claims either of both, the missing half is set. If it is in a
    /// link that both sides agree on, the other claim is cleared. In all other cases nobody can tell which side is right.
    private func disagreement(
        _ storage: ToOneStorage, _ owner: EntitySchema, _ destination: EntitySchema
    ) -> RowCheck? {
        guard let inverse = storage.relationship.storedInverse, !inverse.isToMany,
            case .toOne(let back) = destination.storage[inverse.slot]
        else { return nil }
        let (own, other) = (owner.table.identifier, destination.table.identifier)
        let (there, here) = (storage.column.identifier, back.column.identifier)
        let condition = """
            \(isKind(of: owner, "t")) AND EXISTS (SELECT 1 FROM \(other) d WHERE d.Z_PK = t.\(there) \
            AND \(isKind(of: destination, "d")) AND d.\(here) IS NOT t.Z_PK)
            """
        let isTaken = """
            EXISTS (SELECT 1 FROM \(other) d JOIN \(own) o ON o.Z_PK = d.\(here) AND o.\(there) = d.Z_PK \
            WHERE d.Z_PK = t.\(there))
            """
        func clear(_ condition: String) -> String {
            let columns = [there, storage.entityColumn?.identifier].compactMap(\.self).map { "\($0) = NULL" }
            return "UPDATE \(own) AS t SET \(columns.joined(separator: ", ")) WHERE \(condition)"
        }
        let claim = "FROM \(own) t WHERE t.\(there) = d.Z_PK AND \(isKind(of: owner, "t"))"
        let number = back.entityColumn.map { ", \($0.identifier) = (SELECT t.Z_ENT \(claim))" } ?? ""
        let complete = """
            UPDATE \(other) AS d SET \(here) = (SELECT t.Z_PK \(claim))\(number) \
            WHERE \(isKind(of: destination, "d")) AND d.\(here) IS NULL AND (SELECT count(*) \(claim)) = 1 \
            AND NOT EXISTS (SELECT 1 FROM \(other) o WHERE o.\(here) = (SELECT t.Z_PK \(claim)))
            """
        let name = storage.relationship.name
        return RowCheck(
            .disagreeingOneToOne, entityName: owner.entity.name, propertyName: name, table: owner.table.name,
            select: "SELECT t.Z_PK FROM \(own) t WHERE \(condition) ORDER BY t.Z_PK",
            problem: "\(name) leads to an object whose \(inverse.name) does not lead back",
            repair: .init(
                [clear("\(condition) AND \(isTaken)"), complete],
                "sets the missing side where nothing contradicts it, and clears the one that a complete link contradicts",
                losingCount: 1),
            sacrifice: .init([clear(condition)], "clears the reference", losingCount: 1))
    }

    // MARK: Order

    private func orderChecks(_ storage: ToManyStorage, _ owner: EntitySchema) -> [RowCheck] {
        guard let order = storage.orderColumn?.identifier else { return [] }
        let table = SQLIdentifier.quotedIfNeeded(storage.tableName)
        return orderChecks(
            OrderedRows(table: table, row: "Z_PK", owner: storage.column.identifier, order: order, keys: "t.Z_PK"),
            storage.relationship, tableName: storage.tableName)
    }

    /// **Value.** The columns of an ordered relationship.
    private struct OrderedRows {
        let table: String
        /// The column that identifies a row.
        let row: String
        let owner: String
        let order: String
        /// The columns that a finding lists.
        let keys: String
    }

    private func orderChecks(
        _ rows: OrderedRows, _ relationship: Entity.Relationship, tableName: String
    ) -> [RowCheck] {
        let (table, owner, order) = (rows.table, rows.owner, rows.order)
        let isMissing = "t.\(owner) IS NOT NULL AND typeof(t.\(order)) <> 'integer'"
        let twice = """
            (SELECT \(owner), \(order) FROM \(table) WHERE \(owner) IS NOT NULL AND \(order) IS NOT NULL \
            GROUP BY \(owner), \(order) HAVING count(*) > 1)
            """
        // Positions as Core Data gives them: 2048, 3072, …
        func number(_ owners: String) -> RowCheck.Correction {
            .init(
                [
                    """
                    UPDATE \(table) AS t SET \(order) = n.place FROM (SELECT \(rows.row) AS r, 1024 + 1024 * row_number() \
                    OVER (PARTITION BY \(owner) ORDER BY typeof(\(order)) <> 'integer', \(order), \(rows.row)) AS place \
                    FROM \(table) WHERE \(owner) IN (\(owners))) n WHERE n.r = t.\(rows.row)
                    """
                ], "numbers the members of these owners again, in their order")
        }
        let name = relationship.name
        func check(_ kind: StoreFinding.Kind, _ from: String, _ problem: String, _ owners: String) -> RowCheck {
            RowCheck(
                kind, entityName: relationship.entity.name, propertyName: name, table: tableName,
                select: "SELECT \(rows.keys) \(from) ORDER BY \(rows.keys)", problem: problem, repair: number(owners))
        }
        return [
            check(
                .missingOrder, "FROM \(table) t WHERE \(isMissing)",
                "the object is in \(name), which is ordered, and has no position in it",
                "SELECT t.\(owner) FROM \(table) t WHERE \(isMissing)"),
            check(
                .duplicateOrder,
                "FROM \(table) t JOIN \(twice) g ON g.\(owner) = t.\(owner) AND g.\(order) = t.\(order)",
                "another object has the same position in \(name)", "SELECT g.\(owner) FROM \(twice) g"),
        ]
    }

    // MARK: Many-to-many

    func linkChecks(_ table: JoinTableSchema) -> [RowCheck] {
        let relationship = table.relationship
        guard let owner = schema(of: relationship.entity), let destination = schema(of: relationship.destination)
        else { return [] }
        let name = SQLIdentifier.quotedIfNeeded(table.name)
        let (source, target) = (
            SQLIdentifier.quotedIfNeeded(table.sourceColumn), SQLIdentifier.quotedIfNeeded(table.destinationColumn)
        )
        let keys = "t.\(source), t.\(target)"
        let isDangling = "NOT \(exists(owner, key: "t.\(source)")) OR NOT \(exists(destination, key: "t.\(target)"))"
        let isTwice = """
            EXISTS (SELECT 1 FROM \(name) o WHERE o.\(source) = t.\(source) AND o.\(target) = t.\(target) \
            AND o.rowid < t.rowid)
            """
        func check(_ kind: StoreFinding.Kind, _ condition: String, _ problem: String) -> RowCheck {
            RowCheck(
                kind, entityName: owner.entity.name, propertyName: relationship.name, table: table.name,
                select: "SELECT \(keys) FROM \(name) t WHERE \(condition) ORDER BY \(keys)", problem: problem,
                repair: .init(
                    ["DELETE FROM \(name) AS t WHERE \(condition)"], "removes the link",
                    losingCount: kind == .danglingLink ? 1 : 0))
        }
        var checks = [
            check(
                .danglingLink, isDangling,
                "\(relationship.name) links an object of \(owner.entity.name) or of \(destination.entity.name) that does not exist"
            ),
            check(.duplicateLink, isTwice, "\(relationship.name) links two objects that are linked already"),
        ]
        if let column = table.destinationOrderColumn {
            checks += orderChecks(
                OrderedRows(
                    table: name, row: "rowid", owner: source, order: SQLIdentifier.quotedIfNeeded(column), keys: keys),
                relationship, tableName: table.name)
        }
        if let column = table.sourceOrderColumn, let inverse = relationship.inverse {
            checks += orderChecks(
                OrderedRows(
                    table: name, row: "rowid", owner: target, order: SQLIdentifier.quotedIfNeeded(column), keys: keys),
                inverse, tableName: table.name)
        }
        return checks
    }
}
