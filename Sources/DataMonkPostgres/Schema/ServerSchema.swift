#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The tables of a model on a server, and the place of each property in them.
    ///
    /// ```
    /// _store      one row: the format of these tables, the store's identifier, its model and metadata; the number of its
    ///             version, and that of the oldest version whose processes may go on
    /// _versions   one row per version of the model that the store has had: its number, and the checksum of its hashes
    /// _entities   one row per entity: its number and name
    /// _names      one row per table, column and index: the name, and what it stands for
    /// _log        one row per commit: its number, the process that made it, and that process's number for it
    /// _history    if the store keeps a history, one row per save or batch request; see `ServerHistoryTables`
    /// monk        one row per object of the root entity or of a sub-entity
    /// monk_tags   one row per link of a many-to-many relationship
    /// ```
    struct ServerSchema: Sendable {
        let model: ManagedObjectModel
        /// The entities of the store's configuration, in the order of the model.
        let members: [Entity]
        /// These and their superentities, each root followed by its sub-entities.
        let numbering: EntityNumbering
        /// The database's schema that the tables are in.
        let namespace: ServerNamespace
        let names: ServerNames
        /// The numbers of the entities by name.
        let numbers: [String: Int32]
        /// The entity tables, in the order of creation.
        let tables: [ServerTable]
        /// The tables of many-to-many relationships, in the order of creation.
        let linkTables: [ServerLinkTable]
        let indexes: [ServerIndex]
        let foreignKeys: [ServerForeignKey]
        /// The places of entities by their index in the model.
        private let entities: [ServerEntity?]

        /// Lays out the tables of a model.
        ///
        /// - Parameters:
        ///   - configuration: The configuration whose entities the store contains; `nil` for all.
        ///   - numbers: The numbers of the entities that the store has; none for a new store.
        ///   - names: The names that the store has; none for a new store.
        /// - Throws: `ModelError` if the model has no such configuration.
        init(
            model: ManagedObjectModel, configuration: String? = nil, namespace: ServerNamespace,
            numbers: [String: Int32] = [:], names: ServerNames = ServerNames()
        ) throws(ModelError) {
            self.init(
                model: model, members: try model.requireEntities(inConfiguration: configuration), namespace: namespace,
                numbers: numbers, names: names)
        }

        /// Lays out the tables of some entities of a model: those that a store has.
        init(
            model: ManagedObjectModel, members: [Entity], namespace: ServerNamespace, numbers: [String: Int32],
            names: ServerNames
        ) {
            self.members = members
            let numbering = EntityNumbering(members, count: model.entities.count)
            let numbers = Self.completed(numbers, for: numbering.entities)
            var layout = ServerLayout(numbering: numbering, numbers: numbers, names: names)
            layout.build()
            self.model = model
            self.numbering = numbering
            self.namespace = namespace
            self.numbers = numbers
            self.names = layout.names
            tables = layout.tables
            linkTables = layout.linkTables
            indexes = layout.indexes
            foreignKeys = layout.foreignKeys
            entities = model.entities.map { layout.place(of: $0) }
        }

        /// Gives a number to each entity that has none. A number is never used again.
        private static func completed(_ numbers: [String: Int32], for entities: [Entity]) -> [String: Int32] {
            var numbers = numbers
            var last = numbers.values.max() ?? 0
            for entity in entities where numbers[entity.name] == nil {
                last += 1
                numbers[entity.name] = last
            }
            return numbers
        }

        /// The place of an entity's objects, or `nil` if the store does not have the entity.
        func place(of entity: Entity) -> ServerEntity? { entities[entity.index] }

        /// All columns, each with its table. Those that are not required may be NULL.
        var columns: [(table: String, column: ServerColumn, isRequired: Bool)] {
            tables.flatMap { table in table.columns.map { (table.name, $0, $0.isRequired) } }
                + linkTables.flatMap { table in table.columns.map { (table.name, $0, $0.kind == .key) } }
        }

        /// The columns, quoted, whose values identify the rows of the tables and of the log.
        var keys: [(table: String, columns: [String])] {
            [("_log", ["\"number\""]), ("_log", ["\"process\"", "\"attempt\""])]
                + tables.map { ($0.name, ["\"_id\""]) }
                + linkTables.map { ($0.name, [$0.owner.identifier, $0.element.identifier]) }
        }

        /// The names of all tables, sequences and indexes.
        var relationNames: [String] { names.entries.filter(\.table.isEmpty).map(\.name) }

        /// The statements that create an empty store's tables, sequences, references and indexes, in order.
        var createStatements: [String] {
            Self.housekeepingStatements(in: namespace)
                + tables.flatMap { $0.createStatements(in: namespace) }
                + linkTables.map { $0.createStatement(in: namespace) }
                + foreignKeys.map { $0.createStatement(in: namespace) }
                + indexes.map { $0.createStatement(in: namespace) }
        }

        /// The tables of every store, whatever its model.
        private static func housekeepingStatements(in namespace: ServerNamespace) -> [String] {
            [
                """
                CREATE TABLE \(namespace.qualified("_store")) (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), \
                format integer NOT NULL, identifier uuid NOT NULL, model bytea NOT NULL, metadata bytea NOT NULL, \
                version integer NOT NULL DEFAULT 1, oldest_version integer NOT NULL DEFAULT 1)
                """,
                """
                CREATE TABLE \(namespace.qualified("_versions")) (number integer PRIMARY KEY, \
                checksum text COLLATE "C" NOT NULL UNIQUE)
                """,
                """
                CREATE TABLE \(namespace.qualified("_entities")) (number integer PRIMARY KEY, \
                name text COLLATE "C" NOT NULL UNIQUE)
                """,
                """
                CREATE TABLE \(namespace.qualified("_names")) (place bigint PRIMARY KEY, kind text NOT NULL, \
                entity text NOT NULL, property text NOT NULL, in_table text NOT NULL, name text COLLATE "C" NOT NULL, \
                UNIQUE (kind, entity, property), UNIQUE (in_table, name))
                """,
                """
                CREATE TABLE \(namespace.qualified("_log")) (number bigint PRIMARY KEY, process uuid NOT NULL, \
                attempt bigint NOT NULL, is_fence boolean NOT NULL DEFAULT false, \
                written timestamptz NOT NULL DEFAULT clock_timestamp(), UNIQUE (process, attempt))
                """,
            ]
        }
    }

    extension ServerLayout {
        /// Returns the place of an entity's objects, or `nil` if the store does not have the entity.
        fileprivate func place(of entity: Entity) -> ServerEntity? {
            guard let number = numbers[entity.name], let table = tables.first(where: { $0.root === entity.root })
            else { return nil }
            return ServerEntity(
                entity: entity, number: number, familyNumbers: numbers(of: entity), table: table,
                storage: entity.properties.map { storage(of: entity.firstDeclaration(of: $0)) },
                sharesTable: entity.superentity != nil || numbers(of: entity).count > 1)
        }

        private func storage(of property: Entity.Property) -> ServerStorage {
            switch property {
            case .attribute(let attribute):
                if let column = columnsByPart[.value(attribute)] { return .value(column) }
                let elements = attribute.elements.indices.compactMap { columnsByPart[.element(attribute, $0)] }
                return elements.isEmpty ? .none : .composite(elements)
            case .relationship(let relationship): return storage(of: relationship)
            }
        }

        private func storage(of relationship: Entity.Relationship) -> ServerStorage {
            if relationship.isTransient { return .none }
            if !relationship.isToMany {
                return columnsByPart[.key(relationship)].map {
                    .toOne(key: $0, entity: columnsByPart[.keyEntity(relationship)])
                } ?? .none
            }
            if let links = links(of: relationship) { return .links(links) }
            let storingSide = relationship.storedInverse ?? relationship
            guard let owner = columnsByPart[.key(storingSide)] else { return .none }
            return .toMany(
                ServerToMany(
                    tableName: tableName(of: relationship.destination), owner: owner,
                    order: columnsByPart[.order(relationship)], isStoredByInverse: storingSide !== relationship))
        }

        private func links(of relationship: Entity.Relationship) -> ServerLinks? {
            for table in linkTables {
                if table.relationship === relationship {
                    return ServerLinks(
                        tableName: table.name, owner: table.owner, element: table.element, order: table.elementOrder)
                }
                if table.relationship.inverse === relationship {
                    return ServerLinks(
                        tableName: table.name, owner: table.element, element: table.owner, order: table.ownerOrder)
                }
            }
            return nil
        }
    }
#endif
