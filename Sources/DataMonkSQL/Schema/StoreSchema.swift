package import DataMonkCore

/// **Value.** Core Data's schema for a model: tables, columns, indexes, and the storage of each property.
///
/// ```
/// Z_PRIMARYKEY   one row per entity: number, name, superentity, highest key ever assigned (on roots)
/// Z_METADATA     one row: version, the store's UUID, a property list
/// Z_MODELCACHE   one row: the model, compressed
/// Z<ROOT>        one row per object of the root entity or of a sub-entity
/// Z_<n><NAME>    one row per link of a many-to-many relationship
/// ```
package struct StoreSchema: Sendable {
    package let model: ManagedObjectModel
    /// The entities of the store's configuration, in the order of the model.
    package let members: [Entity]
    /// The entity numbers, as Core Data assigns them.
    package let numbering: EntityNumbering
    /// The entity tables, in the order of creation.
    package let tables: [TableSchema]
    /// The tables of many-to-many relationships, in the order of creation.
    package let joinTables: [JoinTableSchema]
    /// The attributes maintained by triggers, in the order of the entities' numbers.
    package let derivations: [DerivationSchema]
    /// The derived attributes that a file may have triggers for which this library does not write.
    package let foreignDerivations: [ForeignDerivation]
    /// The full-text indexes that queries may use: those of the model, or of them the ones that a file has.
    package internal(set) var textIndexes: [TextIndexSchema] = []

    /// The error that prevents keeping a store with this schema: derivations of unknown forms, or tables with one name. Such a
    /// store may still be read to be migrated.
    private let layoutError: ModelError?
    private let entities: [EntitySchema?]
    /// The entity tables by name.
    private let tablesByName: [String: TableSchema]

    /// Lays out a store.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - configuration: The configuration whose entities the store contains; `nil` for all. Relationships to entities of
    ///     other stores are not stored, because links between stores are refused.
    /// - Throws: `ModelError` if the model has no such configuration, if it has a derived attribute of an unknown form, or if
    ///   two tables would have the same name.
    package init(model: ManagedObjectModel, configuration: String? = nil) throws(ModelError) {
        self.init(model: model, members: try model.requireEntities(inConfiguration: configuration))
        if let layoutError { throw layoutError }
    }

    /// Creates the schema of a store that contains some entities: those listed in the store.
    ///
    /// - Parameters:
    ///   - members: Entities of the model, in its order.
    ///   - joinColumns: The columns of join tables as found in a file, by table.
    package init(model: ManagedObjectModel, members: [Entity], joinColumns: [String: [String]] = [:]) {
        let numbering = EntityNumbering(members, count: model.entities.count)
        var layout = SchemaLayout(
            numbering: numbering, entityCount: model.entities.count, joinColumns: joinColumns)
        layout.build()
        self.model = model
        self.members = members
        self.numbering = numbering
        tables = layout.tables
        tablesByName = Dictionary(layout.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        joinTables = layout.joinTables
        derivations = layout.derivations
        foreignDerivations = layout.foreignDerivations
        layoutError = layout.error
        entities = layout.entities
        textIndexes = modelTextIndexes
    }

    /// Returns the schema with the columns that the join tables of a file actually have.
    package func fitting(joinColumns: [String: [String]]) -> StoreSchema {
        StoreSchema(model: model, members: members, joinColumns: joinColumns)
    }

    /// The statements that create an empty store's tables and indexes, in order.
    package var createStatements: [String] {
        var statements: [String] = []
        for table in tables {
            statements.append(table.createStatement)
            for join in joinTables where join.relationship.entity.root === table.root {
                statements.append(join.createStatement)
            }
        }
        return statements + tables.flatMap(\.indexes).map(\.createStatement) + derivations.flatMap(\.createStatements)
            + Self.housekeepingStatements
    }

    /// The tables of every store, whatever its model.
    private static let housekeepingStatements = [
        listTableStatement,
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    /// The names of these tables.
    static let housekeepingTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

    /// The statement that creates the list of entities.
    package static let listTableStatement =
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"

    /// Returns `true` if the statement of a table in a file is the one that makes the entity table of this name, byte by byte:
    /// the table has the columns that it should have, and nothing else.
    package func makesTable(named name: String, createStatement: String) -> Bool {
        tablesByName[name]?.isMade(by: createStatement) ?? false
    }

    /// A Boolean value indicating whether a trigger in a file is a derived attribute's: one that may run, or is replaced.
    package func expects(_ trigger: TriggerSchema) -> Bool {
        guard trigger.hasListedName else { return false }
        return derivations.contains { $0.ownsTrigger(named: trigger.name) }
            || foreignDerivations.contains { $0.permits(trigger) }
    }

    /// A Boolean value indicating whether a table in a file has columns and plain constraints alone, or is none that is
    /// written to. A computed column, a check and a computed default run an expression of the file's author for each row; a
    /// conflict clause deletes and skips rows.
    package func permitsTable(named name: String, createStatement: String) -> Bool {
        let folded = SQLIdentifier.folded(name)
        let isWritten =
            folded.hasPrefix("Z_") || folded.hasPrefix(TextIndexSchema.prefix) || Self.historyTables.contains(folded)
            || tablesByName[folded] != nil
        guard isWritten else { return true }
        return SQLTokens.isPlain(createStatement)
            && !SQLTokens.contains(anyOf: Self.clausesWithCode, in: createStatement)
    }

    private static let historyTables: Set = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    private static let clausesWithCode = ["AS", "CHECK", "CONFLICT", "DEFAULT"]

    /// The place of an entity's objects, or `nil` if the store does not have the entity.
    package func schema(of entity: Entity) -> EntitySchema? { entities[entity.index] }

    /// Returns the schema of the entity at an index of the model, or `nil` if the store does not contain it.
    package func schema(ofEntityAt index: Int) -> EntitySchema? { entities[index] }

    /// **Value.** An attribute whose values may be stored in separate files, and its column.
    package struct ExternalDataAttribute: Sendable {
        package let entity: EntitySchema
        package let attribute: Entity.Attribute
        package let column: ColumnSchema
    }

    /// The attributes whose values may be stored in separate files.
    package var externalDataAttributes: [ExternalDataAttribute] {
        numbering.entities.flatMap { entity -> [ExternalDataAttribute] in
            guard let schema = schema(of: entity) else { return [] }
            let attributes = entity.declaredAttributes { StoredColumn.Form($0) == .externalData }
            return attributes.compactMap { attribute in
                guard case .value(let column) = schema.storage[attribute.slot] else { return nil }
                return ExternalDataAttribute(entity: schema, attribute: attribute, column: column)
            }
        }
    }

    /// The columns whose values may name separate files, with their tables, quoted for statements. Those of transformable
    /// attributes are among them: what Core Data does with their permission is not known, so that a file which such a value
    /// names must not count as unused.
    package var externalReferenceColumns: [(table: String, column: String)] {
        numbering.entities.flatMap { entity -> [(table: String, column: String)] in
            guard let schema = schema(of: entity) else { return [] }
            let attributes = entity.declaredAttributes { $0.description.allowsExternalBinaryDataStorage }
            return attributes.compactMap { attribute in
                guard case .value(let column) = schema.storage[attribute.slot] else { return nil }
                return (schema.table.identifier, column.identifier)
            }
        }
    }

    /// The rows of `Z_PRIMARYKEY` in an empty store. The highest key is 0 in all of them.
    package var primaryKeyRows: [PrimaryKeyRow] {
        numbering.entities.map { entity in
            PrimaryKeyRow(
                number: numbering.number(of: entity), name: entity.name,
                superNumber: entity.superentity.map { numbering.number(of: $0) } ?? 0)
        }
    }

    /// **Value.** A row of `Z_PRIMARYKEY`.
    package struct PrimaryKeyRow: Sendable, Hashable {
        /// `Z_ENT`.
        package let number: Int
        /// `Z_NAME`.
        package let name: String
        /// `Z_SUPER`; 0 for a root entity.
        package let superNumber: Int
    }
}
