import DataMonkCore

/// The checks of the store's own tables, and of the history.
extension StoreSchema {
    /// The checks of the list of entities, Z_PRIMARYKEY.
    package var listChecks: [RowCheck] {
        let roots = Dictionary(uniqueKeysWithValues: tables.map { ($0.root, $0) })
        return numbering.entities.flatMap { entity -> [RowCheck] in
            let number = numbering.number(of: entity)
            let superNumber = entity.superentity.map { numbering.number(of: $0) } ?? 0
            var checks = [
                Self.missingEntity(entity.name, number, superNumber, roots[entity]?.identifier),
                RowCheck(
                    .wrongSuperentity, entityName: entity.name, table: "Z_PRIMARYKEY",
                    select:
                        "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT = \(number) AND Z_SUPER IS NOT \(superNumber)",
                    problem: "the superentity of \(entity.name) is not the model's, number \(superNumber)",
                    repair: .init(
                        ["UPDATE Z_PRIMARYKEY SET Z_SUPER = \(superNumber) WHERE Z_ENT = \(number)"], "sets it")),
            ]
            if let table = roots[entity] {
                checks.append(Self.highestKey(entity.name, number, table.identifier))
            }
            return checks
        }
    }

    private static func missingEntity(
        _ entityName: String, _ number: Int, _ superNumber: Int, _ table: String?
    ) -> RowCheck {
        let highest = table.map { "ifnull((SELECT max(Z_PK) FROM \($0)), 0)" } ?? "0"
        let name = entityName.replacing("'", with: "''")
        return RowCheck(
            .missingEntity, entityName: entityName, table: "Z_PRIMARYKEY",
            select: "SELECT \(number) WHERE NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(number))",
            problem: "there is no entity \(number), \(entityName)",
            repair: .init(
                [
                    """
                    INSERT OR IGNORE INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
                    VALUES(\(number), '\(name)', \(superNumber), \(highest))
                    """
                ], "adds it"))
    }

    private static func highestKey(_ entityName: String, _ number: Int, _ table: String) -> RowCheck {
        let isLow = "(typeof(p.Z_MAX) <> 'integer' OR p.Z_MAX < (SELECT max(Z_PK) FROM \(table)))"
        let from = "Z_PRIMARYKEY p WHERE p.Z_ENT = \(number) AND \(isLow)"
        return RowCheck(
            .wrongHighestKey, entityName: entityName, table: "Z_PRIMARYKEY",
            select: "SELECT ifnull((SELECT max(Z_PK) FROM \(table)), 0) FROM \(from)",
            problem: "the highest key given out (Z_MAX) of \(entityName) is below one that is in use, or is no number",
            repair: .init(
                [
                    """
                    UPDATE Z_PRIMARYKEY AS p SET Z_MAX = ifnull((SELECT max(Z_PK) FROM \(table)), 0) \
                    WHERE p.Z_ENT = \(number) AND \(isLow)
                    """
                ], "raises it to the highest key in use"))
    }

    /// The checks of the history's rows.
    ///
    /// - Parameter hasStrings: Whether the strings of transactions have a table of their own.
    package static func historyChecks(hasStrings: Bool) -> [RowCheck] {
        let isLost = "NOT EXISTS (SELECT 1 FROM ATRANSACTION x WHERE x.Z_PK = t.ZTRANSACTIONID)"
        var checks = [
            RowCheck(
                .damagedHistory, entityName: nil, table: "ACHANGE",
                select: "SELECT t.Z_PK FROM ACHANGE t WHERE \(isLost) ORDER BY t.Z_PK",
                problem: "the transaction of a change does not exist",
                repair: .init(["DELETE FROM ACHANGE AS t WHERE \(isLost)"], "removes the change"))
        ]
        let names = hasStrings ? ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"] : []
        for name in names {
            let isLost = """
                t.\(name) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING x WHERE x.Z_PK = t.\(name))
                """
            checks.append(
                RowCheck(
                    .damagedHistory, entityName: nil, propertyName: name, table: "ATRANSACTION",
                    select: "SELECT t.Z_PK FROM ATRANSACTION t WHERE \(isLost) ORDER BY t.Z_PK",
                    problem: "\(name) leads to a string that does not exist",
                    repair: .init(["UPDATE ATRANSACTION AS t SET \(name) = NULL WHERE \(isLost)"], "clears it")))
        }
        for table in HistorySchema.Table.allCases where hasStrings || table != .string {
            checks.append(missingEntity(table.entityName, table.rawValue, 0, table.name))
            checks.append(highestKey(table.entityName, table.rawValue, table.name))
        }
        return checks
    }
}
