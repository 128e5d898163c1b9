#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    extension ServerStoreOpening {
        /// Returns the store in the namespace, or `nil` if there is none.
        func find() throws -> Opened? {
            // Not to_regclass: it may answer from what the server's process knew before it waited for the lock.
            let table = try PostgresStatement(
                """
                SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = $1 AND relname = '_store'
                """, values: namespace.name)
            if try run([table])[0].required(Int64.self, row: 0, column: 0) == 0 { return nil }
            try checkFormat()
            let results = try run([
                PostgresStatement("SELECT identifier, metadata FROM \(namespace.qualified("_store"))"),
                PostgresStatement("SELECT number, name FROM \(namespace.qualified("_entities"))"),
                PostgresStatement(
                    "SELECT kind, entity, property, in_table, name FROM \(namespace.qualified("_names")) ORDER BY place"
                ),
            ])
            let metadata = try metadata(in: results[0])
            let members = try model.requireEntities(inConfiguration: configuration)
            if let mismatch = metadata.mismatch(withMembers: members, of: model) {
                throw StoreError.mismatch(mismatch, in: namespace)
            }
            let schema = try ServerSchema(
                model: model, configuration: configuration, namespace: namespace, numbers: numbers(in: results[1]),
                names: names(in: results[2]))
            try checkTables(of: schema)
            return Opened(
                schema: schema, identifier: try results[0].required(UUID.self, row: 0, column: 0), metadata: metadata)
        }

        /// Checks that the table is a store's, of a format that is known. Other formats may have other columns.
        private func checkFormat() throws {
            let column = try PostgresStatement(
                """
                SELECT count(*)
                FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = $1 AND relname = '_store' AND attname = 'format' AND atttypid = 'integer'::regtype
                """, values: namespace.name)
            guard try run([column])[0].required(Int64.self, row: 0, column: 0) == 1 else {
                throw StoreError.foreignTable(in: namespace)
            }
            let found = try run([PostgresStatement("SELECT format FROM \(namespace.qualified("_store"))")])[0]
            guard found.rowCount == 1 else { throw StoreError.foreignTable(in: namespace) }
            let format: Int32 = try found.required(row: 0, column: 0)
            if format != Self.format { throw StoreError.unknownFormat(format, in: namespace) }
        }

        private func metadata(in result: PostgresResult) throws -> StoreMetadata {
            do {
                return try StoreMetadata(propertyList: result.required(Data.self, row: 0, column: 1))
            } catch {
                throw StoreError.damagedMetadata(error, in: namespace)
            }
        }

        private func numbers(in result: PostgresResult) throws -> [String: Int32] {
            var numbers: [String: Int32] = [:]
            for row in 0..<result.rowCount {
                numbers[try result.required(String.self, row: row, column: 1)] = try result.required(
                    row: row, column: 0)
            }
            return numbers
        }

        /// Names of a kind that this version does not know belong to what it does not use.
        private func names(in result: PostgresResult) throws -> ServerNames {
            var entries: [ServerNames.Entry] = []
            for row in 0..<result.rowCount {
                func text(_ column: Int) throws -> String { try result.required(row: row, column: column) }
                guard let kind = ServerNames.Subject.Kind(rawValue: try text(0)) else { continue }
                let subject = ServerNames.Subject(kind: kind, entity: try text(1), property: try text(2))
                entries.append(ServerNames.Entry(subject: subject, table: try text(3), name: try text(4)))
            }
            return ServerNames(entries)
        }

        // MARK: Tables

        /// Checks that the tables are as the schema has them. Others may have changed them, and the delete rules that decide
        /// on references are not a part of the model's version.
        private func checkTables(of schema: ServerSchema) throws {
            let results = try run([
                try PostgresStatement(
                    """
                    SELECT relname, attname, atttypid::int8
                    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = $1 AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
                    """, values: namespace.name),
                try PostgresStatement(
                    """
                    SELECT relname, conname
                    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = $1 AND contype = 'f' AND left(relname, 1) <> '_'
                    """, values: namespace.name),
            ])
            var types: [[String]: Int64] = [:]
            for row in 0..<results[0].rowCount {
                let place = try (0...1).map { try results[0].required(String.self, row: row, column: $0) }
                types[place] = try results[0].required(row: row, column: 2)
            }
            let missing = schema.columns.filter { types[[$0.table, $0.column.name]] != Int64($0.column.type.id) }
            if !missing.isEmpty {
                throw StoreError.changedColumns(missing.map { "\($0.table).\($0.column.name)" }, in: namespace)
            }
            let expected = Set(schema.foreignKeys.map { [$0.tableName, $0.column.name] })
            let known = Set(schema.columns.map { [$0.table, $0.column.name] })
            for row in 0..<results[1].rowCount {
                let place = try (0...1).map { try results[1].required(String.self, row: row, column: $0) }
                if known.contains(place), !expected.contains(place) {
                    throw StoreError.strictReference(place.joined(separator: "."), in: namespace)
                }
            }
        }
    }

    extension PostgresResult {
        /// Returns the values of the first column, none of which is NULL.
        ///
        /// Throws a ``PostgresValueError`` if the column has another type.
        func column<Value: PostgresValue>(of type: Value.Type) throws(PostgresValueError) -> [Value] {
            var values: [Value] = []
            for row in 0..<rowCount { values.append(try required(type, row: row, column: 0)) }
            return values
        }
    }
#endif
