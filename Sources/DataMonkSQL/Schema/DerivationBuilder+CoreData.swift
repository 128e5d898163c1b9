import DataMonkCore

/// The triggers that Core Data makes, as far as they are known: those of a plain count over a to-many.
///
/// They are named after the table that they fire on:
///
///     Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT    AFTER INSERT ON ZPAGE
///     Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT       AFTER INSERT ON ZBOOK
extension DerivationBuilder {
    var coreDataTriggers: [TriggerSchema] {
        guard let (objects, key) = counted else { return [] }
        let parameters: [(event: String, place: String, row: String, value: String)] = [
            ("INSERT", "INSERT", "NEW", "IFNULL(\(column.identifier), 0) + 1"),
            ("UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(column.identifier) + 1"),
            ("UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(column.identifier) - 1"),
            ("DELETE", "DELETE", "OLD", "\(column.identifier) - 1"),
        ]
        let source = coreDataTrigger(
            on: entity.table.name, "SOURCE_INSERT", "INSERT", nil, row: "NEW.Z_PK",
            value: """
                (SELECT IFNULL(COUNT(\(key)), 0) FROM \(SQLIdentifier.quotedIfNeeded(objects)) WHERE \(key) = NEW.Z_PK)
                """, DerivationSchema.insertFunction)
        return [source]
            + parameters.map { parameter in
                coreDataTrigger(
                    on: objects, "PARAMETER_\(parameter.event)", parameter.place, "\(parameter.row).\(key)",
                    row: "\(parameter.row).\(key)", value: parameter.value, DerivationSchema.updateFunction)
            }
    }

    private func coreDataTrigger(
        on table: String, _ event: String, _ place: String, _ condition: String?, row: String, value: String,
        _ function: String
    ) -> TriggerSchema {
        let name = "Z_DA_\(table)_\(entity.entity.name)_\(derivation.attribute.name)_\(event)"
        let own = entity.table.identifier
        let numbers = entity.familyNumbers
        let family = entity.sharesTable ? " AND \(numbers.lowerBound) <= Z_ENT AND Z_ENT <= \(numbers.upperBound)" : ""
        return TriggerSchema(
            name: name,
            createStatement: """
                CREATE TRIGGER \(SQLIdentifier.quotedIfNeeded(name)) AFTER \(place) \
                ON \(SQLIdentifier.quotedIfNeeded(table)) FOR EACH ROW\
                \(condition.map { " WHEN (\($0) NOT NULL)" } ?? "") BEGIN \
                UPDATE \(own) SET \(column.identifier) = \(value) WHERE Z_PK = \(row)\(family); \
                SELECT \(function)('\(entity.table.name)', Z_ENT, Z_PK, '\(derivation.attribute.name)', \
                \(column.identifier)) FROM \(own) WHERE Z_PK = \(row)\(family); END
                """)
    }
}
