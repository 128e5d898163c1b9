#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    extension ServerStoreOpening {
        /// Returns the store in the namespace, or `nil` if there is none.
        func find() throws -> Opened? {
            guard let record = try readRecord() else { return nil }
            let members = try model.requireEntities(inConfiguration: configuration)
            let version = try record.version(ofMembers: members, of: model, in: namespace)
            let schema = try ServerSchema(
                model: model, configuration: configuration, namespace: namespace, numbers: record.numbers,
                names: record.names)
            try checkTables(of: schema)
            return Opened(
                schema: schema, identifier: record.identifier, metadata: record.metadata, version: version,
                lastPosition: record.lastPosition)
        }

        /// Returns what the store in the namespace says of itself, or `nil` if there is none.
        func readRecord() throws -> ServerStoreRecord? {
            // Not to_regclass: it may answer from what the server's process knew before it waited for the lock.
            let table = try PostgresStatement(
                """
                SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = $1 AND relname = '_store'
                """, values: namespace.name)
            if try run([table])[0].required(Int64.self, row: 0, column: 0) == 0 { return nil }
            try checkFormat()
            return try ServerStoreRecord(run(ServerStoreRecord.statements(in: namespace)), in: namespace)
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

        // MARK: Tables

        /// Checks that the tables are as the schema has them. Others may have changed them, and the delete rules that decide
        /// on references are not a part of the model's version.
        func checkTables(of schema: ServerSchema) throws {
            let found = try columnsFound()
            let changed = schema.columns.filter { table, column, isRequired in
                found[[table, column.name]] != FoundColumn(column, isRequired: isRequired)
            }
            if !changed.isEmpty {
                throw StoreError.changedColumns(changed.map { "\($0.table).\($0.column.name)" }, in: namespace)
            }
            try checkReferences(of: schema)
            try checkUniqueIndexes(of: schema)
        }

        private func columnsFound() throws -> [[String]: FoundColumn] {
            let result = try run([
                try PostgresStatement(
                    """
                    SELECT relname, attname, atttypid::int8, attnotnull, attcollation = '"C"'::regcollation
                    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = $1 AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
                    """, values: namespace.name)
            ])[0]
            var columns: [[String]: FoundColumn] = [:]
            for row in 0..<result.rowCount {
                let place = try (0...1).map { try result.required(String.self, row: row, column: $0) }
                columns[place] = FoundColumn(
                    type: try result.required(row: row, column: 2),
                    isRequired: try result.required(row: row, column: 3),
                    isInOrderOfBytes: try result.required(row: row, column: 4))
            }
            return columns
        }

        private func checkReferences(of schema: ServerSchema) throws {
            let result = try run([
                try PostgresStatement(
                    """
                    SELECT pg_class.relname, attname, destination.relname, condeferrable
                    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
                    JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
                    JOIN pg_class destination ON destination.oid = confrelid
                    JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
                    WHERE nspname = $1 AND contype = 'f' AND cardinality(conkey) = 1 AND left(pg_class.relname, 1) <> '_'
                    """, values: namespace.name)
            ])[0]
            let known = Set(schema.columns.map { [$0.table, $0.column.name] })
            var missing = schema.foreignKeys
            for row in 0..<result.rowCount {
                let place = try (0...2).map { try result.required(String.self, row: row, column: $0) }
                let isDeferrable: Bool = try result.required(row: row, column: 3)
                let isExpected = missing.contains { $0.place == place } && isDeferrable
                if known.contains(Array(place.prefix(2))), !isExpected {
                    throw StoreError.strictReference(place.prefix(2).joined(separator: "."), in: namespace)
                }
                missing.removeAll { $0.place == place }
            }
            if let reference = missing.first { throw StoreError.missingReference(reference, in: namespace) }
        }
    }

    // MARK: Unique values

    extension ServerStoreOpening {
        /// Checks that the server enforces all unique values, by indexes of any name, and the keys of tables and of the log, on
        /// which the outcome of commits depends.
        fileprivate func checkUniqueIndexes(of schema: ServerSchema) throws {
            // Before, there is no index that takes NULL for a value.
            let condition = connection.serverVersion < 150_000 ? "" : "AND NOT indnullsnotdistinct"
            let result = try run([
                try PostgresStatement(
                    """
                    SELECT relname,
                    (SELECT string_agg('"' || replace(attname, '"', '""') || '"', ', ' ORDER BY place)
                    FROM unnest(indkey::int2[]) WITH ORDINALITY AS keys (number, place)
                    JOIN pg_attribute ON attrelid = indrelid AND attnum = number WHERE place <= indnkeyatts),
                    coalesce(pg_get_expr(indpred, indrelid), '')
                    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = $1 AND indisunique AND indisvalid AND indimmediate AND indexprs IS NULL \(condition)
                    """, values: namespace.name)
            ])[0]
            var found: Set<[String]> = []
            for row in 0..<result.rowCount {
                found.insert(try (0...2).map { try result.required(String.self, row: row, column: $0) })
            }
            for index in schema.indexes where index.isUnique && !found.contains(index.place) {
                throw StoreError.missingUniqueIndex(index, in: namespace)
            }
            for key in schema.keys where !found.contains([key.table, key.columns.joined(separator: ", "), ""]) {
                throw StoreError.missingKey(ofTable: key.table, key.columns, in: namespace)
            }
        }
    }

    /// **Value.** The properties of a column that decide on its values.
    private struct FoundColumn: Hashable {
        let type: Int64
        let isRequired: Bool
        /// A Boolean value indicating whether its text is sorted as in memory.
        let isInOrderOfBytes: Bool
    }

    extension FoundColumn {
        init(_ column: ServerColumn, isRequired: Bool) {
            self.init(type: Int64(column.type.id), isRequired: isRequired, isInOrderOfBytes: column.type == .text)
        }
    }

    extension ServerForeignKey {
        /// The table, the column, and the table of the destinations.
        fileprivate var place: [String] { [tableName, column.name, destinationName] }
    }

    extension ServerIndex {
        /// The table, the columns, and the condition as the server writes it.
        fileprivate var place: [String] {
            let numbers = (entityNumbers ?? []).map { "\($0)" }
            let condition =
                switch numbers.count {
                case 0: ""
                case 1: "(_entity = \(numbers[0]))"
                default: "(_entity = ANY (ARRAY[\(numbers.joined(separator: ", "))]))"
                }
            return [tableName, columns.joined(separator: ", "), condition]
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
