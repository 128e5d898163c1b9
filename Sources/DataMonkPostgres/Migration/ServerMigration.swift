#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The migration of a store on a server to another version of its model: statements in order, and the conditions
    /// that must hold before and after them.
    ///
    /// ```
    /// discards       count what would be lost                   before anything is changed
    /// statements     collect links that are kept elsewhere      _links_1, _links_2, …
    ///                drop indexes and references that differ
    ///                create tables, add columns
    ///                write values and links
    ///                drop columns, rows and tables
    ///                create references and indexes
    /// requirements   count objects that the new version does not allow
    /// ```
    /// No table is rebuilt, and no column that stays is touched, whatever its property is called now. A new column has its
    /// default beside the table. So additions to a large store take no time, and rows are written only where values move.
    struct ServerMigration {
        /// **Value.** Stored data for which the new version has no place.
        struct Discard: Sendable {
            let description: MigrationScript.Discard
            /// Selects the number of objects, values, links, or orders.
            let statement: PostgresStatement
        }

        /// **Value.** A statement that changes the store.
        struct Statement: Sendable {
            let statement: PostgresStatement
            /// The root of the table whose rows it writes.
            var root: Entity?
            /// An index that it creates.
            var index: ServerIndex?
        }

        let old: ServerSchema
        let new: ServerSchema
        let mapping: InferredMapping
        let discards: [Discard]
        let requirements: [ServerMigrationRequirement]
        /// A Boolean value indicating whether processes of the old version may go on with the store.
        let isAdditive: Bool
        private let succession: ServerSuccession
        private let transfers: [ServerLinkTransfer]
        private let fillings: [ServerColumnFilling]

        /// Plans a migration.
        ///
        /// Throws a `MigrationError` for changes that cannot be inferred, or that a server's tables cannot follow.
        init(from old: ServerSchema, to model: ManagedObjectModel, members: [Entity]) throws {
            let numbering = EntityNumbering(members, count: model.entities.count)
            mapping = try InferredMapping(
                from: old.model, holding: old.numbering.entities, to: model, holding: numbering.entities)
            let succession = try ServerSuccession(from: old, to: numbering, mapping: mapping)
            let new = ServerNameSuccession.schema(of: model, members: members, after: succession)
            self.old = old
            self.new = new
            self.succession = succession
            transfers = succession.pairs.filter { succession.stayingLinks(of: $0) == nil }.enumerated().compactMap {
                ServerLinkTransfer(of: $0.element, number: $0.offset + 1, in: succession)
            }
            fillings = numbering.entities.flatMap(\.declaredAttributes).flatMap { attribute in
                let columns = new.place(of: attribute.entity)?.storage[attribute.slot].values ?? []
                return columns.enumerated().map { position, column in
                    ServerColumnFilling(
                        column, of: attribute, element: attribute.type == .composite ? position : nil, in: new,
                        after: succession)
                }
            }
            discards = try ServerMigrationDiscards(after: succession, moving: transfers).discards
            requirements = ServerMigrationRequirement.all(of: new, after: succession)
            isAdditive = ServerCompatibility(from: old, to: new, mapping: mapping).isAdditive
        }

        /// The names to keep, in the order in which they were made.
        var names: [ServerNames.Entry] { new.names.used }

        private var namespace: ServerNamespace { new.namespace }

        // MARK: Statements

        /// Returns the statements, in order.
        ///
        /// - Parameters:
        ///   - quote: Returns a value of a column as a constant of SQL.
        ///   - references: The names of the references that the server checks, by table and column.
        func statements(
            quote: (ManagedValue, ServerColumn) throws -> String, references: [[String]: [String]]
        ) throws -> [Statement] {
            var statements = transfers.map { plain($0.collecting) }
            statements += dropsOfIndexesAndReferences(references)
            statements += try additions(quote)
            // Columns that stay lose what is not theirs any more once others have it.
            for filling in fillings.filter(\.isAdded) + fillings.filter({ !$0.isAdded }) {
                statements += try filling.statements(after: succession).map {
                    Statement(statement: $0, root: filling.root)
                }
            }
            statements += ServerLinkUpkeep(from: old, to: new, after: succession).statements
            for transfer in transfers {
                let (sql, roots) = transfer.distributing(to: new)
                for (place, sql) in sql.enumerated() {
                    statements.append(plain(sql, root: place < roots.count ? roots[place] : nil))
                }
            }
            return statements + removals + creations
        }

        private func plain(_ sql: String, root: Entity? = nil) -> Statement {
            Statement(statement: PostgresStatement(sql), root: root)
        }

        private func dropsOfIndexesAndReferences(_ references: [[String]: [String]]) -> [Statement] {
            let staying = new.indexes.filter { index in
                old.indexes.contains { $0.name == index.name && $0.isLike(index) }
            }
            let names = Set(staying.map(\.name))
            let indexes = old.indexes.filter { !names.contains($0.name) }
            // Somebody may have dropped an index that only affects speed.
            var statements = indexes.map { plain("DROP INDEX IF EXISTS \(namespace.qualified($0.name))") }
            for reference in old.foreignKeys where !new.foreignKeys.contains(reference) {
                for name in references[[reference.tableName, reference.column.name]] ?? [] {
                    let table = namespace.qualified(reference.tableName)
                    statements.append(plain("ALTER TABLE \(table) DROP CONSTRAINT \(ServerName.quoted(name))"))
                }
            }
            return statements
        }

        /// The tables that are new, and the columns that are new in others.
        private func additions(_ quote: (ManagedValue, ServerColumn) throws -> String) throws -> [Statement] {
            let tables = Set(old.tables.map(\.name) + old.linkTables.map(\.name))
            var statements = new.tables.filter { !tables.contains($0.name) }
                .flatMap { $0.createStatements(in: namespace) }.map { plain($0) }
            statements += new.linkTables.filter { !tables.contains($0.name) }
                .map { plain($0.createStatement(in: namespace)) }
            let columns = Set(old.columns.map { [$0.table, $0.column.name] })
            let values = Dictionary(
                fillings.filter(\.isAdded).map { ([$0.root.name, $0.column.name], $0) },
                uniquingKeysWith: { first, _ in first })
            for (table, column, _) in new.columns
            where tables.contains(table) && !columns.contains([table, column.name]) {
                let root = new.tables.first { $0.name == table }?.root
                if let filling = root.flatMap({ values[[$0.name, column.name]] }) {
                    statements.append(plain(try filling.addition(quote)))
                } else {
                    statements.append(
                        plain("ALTER TABLE \(namespace.qualified(table)) ADD COLUMN \(column.definition)"))
                }
            }
            return statements
        }

        private var removals: [Statement] {
            let tables = Set(new.tables.map(\.name) + new.linkTables.map(\.name))
            let columns = Set(new.columns.map { [$0.table, $0.column.name] })
            var statements: [Statement] = []
            for (table, column, _) in old.columns
            where tables.contains(table) && !columns.contains([table, column.name]) {
                statements.append(
                    plain("ALTER TABLE \(namespace.qualified(table)) DROP COLUMN \(column.identifier)"))
            }
            let dropped = old.linkTables.map(\.name) + old.tables.map(\.name)
            let names = dropped.filter { !tables.contains($0) }.map(namespace.qualified)
            // Together, because they refer to each other.
            if !names.isEmpty { statements.append(plain("DROP TABLE \(names.joined(separator: ", "))")) }
            for root in new.tables.map(\.root) {
                guard let past = succession.sourceRoot(of: root) else { continue }
                let gone = succession.objects(of: past).gone
                if gone.isEmpty { continue }
                statements.append(
                    plain(
                        "DELETE FROM \(succession.table(of: past)) WHERE \"_entity\" IN (\(succession.list(gone)))",
                        root: root))
            }
            return statements
        }

        private var creations: [Statement] {
            var statements = new.foreignKeys.filter { !old.foreignKeys.contains($0) }
                .map { plain($0.createStatement(in: namespace)) }
            for index in new.indexes where !old.indexes.contains(where: { $0.name == index.name && $0.isLike(index) }) {
                statements.append(
                    Statement(statement: PostgresStatement(index.createStatement(in: namespace)), index: index))
            }
            return statements
        }
    }
#endif
