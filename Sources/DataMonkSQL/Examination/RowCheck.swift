package import DataMonkCore

/// **Value.** A question to the rows of a store: a statement that selects those with one kind of damage, and the statements
/// that correct it.
///
/// Corrections ask the same question as the selection, so they can run on any state of the store.
package struct RowCheck: Sendable {
    /// **Value.** A correction.
    package struct Correction: Sendable {
        /// The statements, in their order.
        package var statements: [String]
        /// A description of what they do, as a sentence in the third person without its subject: "clears the reference".
        package var deed: String
        /// The number of leading statements that give up links or values.
        package var losingCount: Int

        package init(_ statements: [String], _ deed: String, losingCount: Int = 0) {
            self.statements = statements
            self.deed = deed
            self.losingCount = losingCount
        }
    }

    package let kind: StoreFinding.Kind
    package let entityName: String?
    package let propertyName: String?
    /// The table with the damaged rows, as named in the store.
    package let table: String
    /// Selects the damaged rows: their primary key, and for a link its other key.
    package let select: String
    /// The damage, as a clause after "In 3 rows of ZPERSON,".
    package let problem: String
    /// A correction that loses nothing that the store still has, or `nil` if there is none.
    package let repair: Correction?
    /// A correction that gives up what is wrong, for a salvage. `nil` if the repair does, or if rows are left out instead.
    package let sacrifice: Correction?

    package init(
        _ kind: StoreFinding.Kind, entityName: String?, propertyName: String? = nil, table: String, select: String,
        problem: String, repair: Correction? = nil, sacrifice: Correction? = nil
    ) {
        self.kind = kind
        self.entityName = entityName
        self.propertyName = propertyName
        self.table = table
        self.select = select
        self.problem = problem
        self.repair = repair
        self.sacrifice = sacrifice
    }
}

extension StoreSchema {
    /// The checks of all tables: rows first, then values, then relationships, in the order of the entities' numbers.
    package var rowChecks: [RowCheck] {
        var checks = tables.flatMap { rowChecks(of: $0) }
        for entity in numbering.entities {
            guard let schema = schema(of: entity) else { continue }
            checks += valueChecks(of: schema) + uniquenessChecks(of: schema)
        }
        for entity in numbering.entities {
            guard let schema = schema(of: entity) else { continue }
            for relationship in entity.declaredRelationships { checks += self.checks(of: relationship, schema) }
        }
        checks += joinTables.flatMap(linkChecks)
        return checks
    }

    /// The condition for rows of an entity and its sub-entities.
    ///
    /// - Parameter row: The alias of the table.
    func isKind(of schema: EntitySchema, _ row: String) -> String {
        "\(row).Z_ENT BETWEEN \(schema.familyNumbers.lowerBound) AND \(schema.familyNumbers.upperBound)"
    }

    /// The condition for the existence of an object.
    func exists(_ schema: EntitySchema, key: String) -> String {
        "EXISTS (SELECT 1 FROM \(schema.table.identifier) x WHERE x.Z_PK = \(key) AND \(isKind(of: schema, "x")))"
    }
}
