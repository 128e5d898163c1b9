package import DataMonkCore

/// **Value.** Core Data's schema for a model: tables, columns, indexes, and where each property is kept.
///
/// ```
/// Z_PRIMARYKEY   a row an entity: number, name, superentity, highest key ever given out (on roots)
/// Z_METADATA     one row: version, the store's UUID, a property list
/// Z_MODELCACHE   one row: the model, compressed
/// Z<ROOT>        a row an object of the root or of anything below it
/// Z_<n><NAME>    a row a link of a many-to-many relationship
/// ```
package struct StoreSchema: Sendable {
    /// The model.
    package let model: ManagedObjectModel
    /// The entities of the store's configuration, in the order of the model.
    package let members: [Entity]
    /// Core Data's numbers of the entities.
    package let numbering: EntityNumbering
    /// The entity tables in the order of creation.
    package let tables: [TableSchema]
    /// The tables of many-to-many relationships in the order of creation.
    package let joinTables: [JoinTableSchema]
    /// The attributes that triggers keep, in the order of the entities' numbers.
    package let derivations: [DerivationSchema]
    /// The derived attributes that a file may have triggers for which this library does not write.
    package let foreignDerivations: [ForeignDerivation]

    /// Why no store can be kept with the schema, though one may be read to be migrated: derivations of unknown forms.
    private let derivationError: ModelError?
    private let entities: [EntitySchema?]

    /// Lays out a store.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - configuration: Whose entities the store has, nil for all. Relationships that lead to entities of other
    ///     stores are not kept: links between stores are refused.
    /// - Throws: `ModelError` when the model has no such configuration, or a derived attribute of an unknown form.
    package init(model: ManagedObjectModel, configuration: String? = nil) throws(ModelError) {
        guard let members = model.entities(inConfiguration: configuration) else {
            let known = model.configurations.keys.sorted().joined(separator: ", ")
            throw ModelError(
                code: .unknownConfiguration,
                message: """
                    The model has no configuration \(configuration ?? ""). \
                    \(known.isEmpty ? "It has none at all." : "It has: \(known).")
                    """)
        }
        self.init(model: model, members: members)
        if let derivationError { throw derivationError }
    }

    /// The schema of a store that holds some entities: those that it says it has.
    ///
    /// - Parameters:
    ///   - members: entities of the model, in its order.
    ///   - joinColumns: the columns of join tables as a file has them, by table.
    package init(model: ManagedObjectModel, members: [Entity], joinColumns: [String: [String]] = [:]) {
        let numbering = EntityNumbering(members, count: model.entities.count)
        var layout = SchemaLayout(
            numbering: numbering, entityCount: model.entities.count, joinColumns: joinColumns)
        layout.build()
        self.model = model
        self.members = members
        self.numbering = numbering
        tables = layout.tables
        joinTables = layout.joinTables
        derivations = layout.derivations
        foreignDerivations = layout.foreignDerivations
        derivationError = layout.derivationError
        entities = layout.entities
    }

    /// The schema with the columns that the join tables of a file have in fact.
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

    /// The tables that every store has, whatever its model.
    private static let housekeepingStatements = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    /// A Boolean value indicating whether a trigger in a file is a derived attribute's: one that may run, or is replaced.
    package func expects(_ trigger: TriggerSchema) -> Bool {
        guard trigger.hasListedName else { return false }
        return derivations.contains { $0.ownsTrigger(named: trigger.name) }
            || foreignDerivations.contains { $0.permits(trigger) }
    }

    /// Where the objects of an entity are kept, nil when the store does not have the entity.
    package func schema(of entity: Entity) -> EntitySchema? { entities[entity.index] }

    /// Where the objects of the entity at a position of the model are kept, nil when the store does not have it.
    package func schema(ofEntityAt index: Int) -> EntitySchema? { entities[index] }

    /// The columns whose values may lie in files of their own, with their tables, as statements need them.
    package var externalDataColumns: [(table: String, column: String)] {
        var seen: Set<String> = []
        return numbering.entities.flatMap { entity -> [(table: String, column: String)] in
            guard let schema = schema(of: entity) else { return [] }
            return entity.attributes.compactMap { attribute in
                guard case .externalData = RowColumn.Kind(attribute),
                    case .value(let column) = schema.storage[attribute.slot],
                    seen.insert("\(schema.table.name).\(column.name)").inserted
                else { return nil }
                return (schema.table.identifier, column.identifier)
            }
        }
    }

    /// The rows of `Z_PRIMARYKEY` of an empty store. The highest key is 0 in all of them.
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
        /// `Z_SUPER`, 0 for a root.
        package let superNumber: Int
    }
}
