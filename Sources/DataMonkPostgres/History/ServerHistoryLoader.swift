#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerReader {
        func keepsHistory() -> Bool { head.keepsHistory }

        func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]? {
            if !head.keepsHistory { return nil }
            return try ServerHistoryLoader(self).records(after: bound, includingChanges: includingChanges)
        }

        func lastHistoryPosition() throws -> HistoryPosition? {
            head.keepsHistory ? try ServerHistoryLoader(self).lastPosition() : nil
        }
    }

    /// **Confined.** Reads the history in one snapshot, in parts: a statement answers with thousands of rows, not with millions.
    struct ServerHistoryLoader {
        private let reader: ServerReader
        private let tables: ServerHistoryTables
        private var store: ServerStore { reader.store }
        private var head: ServerLog.Head { reader.head }

        init(_ reader: ServerReader) {
            self.reader = reader
            tables = ServerHistoryTables(namespace: reader.store.schema.namespace)
        }

        func records(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord] {
            if case .transaction(let position) = bound, try !holds(position) {
                // A standby may not have it yet.
                let last = PostgresStatement("SELECT coalesce(max(number), 0) FROM \(tables.transactions)")
                let isLate = try head.isStandby && position.number > reader.run(last).required(row: 0, column: 0)
                throw isLate ? StoreError.lateStandby : StoreError.historyTokenExpired(nil)
            }
            var (records, extents) = try transactions(after: bound)
            if includingChanges { try addChanges(extents, to: &records) }
            return records
        }

        func lastPosition() throws -> HistoryPosition? {
            let result = try reader.run(
                PostgresStatement(
                    """
                    SELECT number, identifier FROM \(tables.transactions) WHERE NOT is_deleted \
                    ORDER BY number DESC LIMIT 1
                    """))
            if result.rowCount == 0 { return nil }
            return HistoryPosition(
                number: try result.required(row: 0, column: 0), identifier: try result.required(row: 0, column: 1))
        }

        /// Returns whether the history has a transaction: that one, and not another one with the number of a lost one.
        private func holds(_ position: HistoryPosition) throws -> Bool {
            let result = try reader.run(
                PostgresStatement(
                    """
                    SELECT EXISTS (SELECT FROM \(tables.transactions) \
                    WHERE number = $1 AND coalesce(identifier = $2, true) AND NOT is_deleted)
                    """, values: position.number, position.identifier))
            return try result.required(row: 0, column: 0)
        }

        // MARK: Transactions

        /// **Value.** The place of a transaction's changes.
        private struct Extent {
            let identifier: UUID
            /// The number of the first change.
            let firstChange: Int64
            let changeCount: Int64
        }

        private func transactions(after bound: HistoryBound) throws -> ([HistoryRecord], [Extent]) {
            var records: [HistoryRecord] = []
            var extents: [Extent] = []
            var number: Int64 = if case .transaction(let position) = bound { position.number } else { 0 }
            let start: Date? = if case .date(let date) = bound { date.inHistory } else { nil }
            while true {
                let result = try reader.run(
                    PostgresStatement(
                        """
                        SELECT number, identifier, first_change, change_count, written, author, context_name, bundle_id, \
                        process_name FROM \(tables.transactions) \
                        WHERE number > $1 AND coalesce(written > $2, true) AND NOT is_deleted \
                        ORDER BY number LIMIT \(ServerHistoryPart.size)
                        """, values: number, start))
                for row in 0..<result.rowCount {
                    number = try result.required(row: row, column: 0)
                    let identifier: UUID = try result.required(row: row, column: 1)
                    extents.append(
                        Extent(
                            identifier: identifier, firstChange: try result.required(row: row, column: 2),
                            changeCount: try result.required(row: row, column: 3)))
                    records.append(try record(number, identifier: identifier, in: result, row: row))
                }
                if result.rowCount < ServerHistoryPart.size { return (records, extents) }
            }
        }

        private func record(
            _ number: Int64, identifier: UUID, in result: PostgresResult, row: Int
        ) throws -> HistoryRecord {
            func text(_ column: Int) throws -> String? { try result.value(row: row, column: column) }
            return HistoryRecord(
                number: number, identifier: identifier, timestamp: try result.required(row: row, column: 4),
                signature: HistorySignature(author: try text(5), contextName: try text(6)), bundleID: try text(7),
                processID: try text(8))
        }

        // MARK: Changes

        private func addChanges(_ extents: [Extent], to records: inout [HistoryRecord]) throws {
            for part in ServerHistoryPart.parts(of: extents.map { ($0.identifier, $0.changeCount) }) {
                let result = try reader.run(
                    PostgresStatement(
                        """
                        SELECT part.position, changes.place, changes.type, changes.entity, changes.object, \
                        changes.properties, changes.tombstone FROM \(ServerHistoryPart.source) \
                        JOIN \(tables.changes) AS changes ON \(ServerHistoryPart.condition) \
                        ORDER BY part.position, changes.place
                        """, part.parameters))
                for row in 0..<result.rowCount {
                    let position = Int(try result.required(Int64.self, row: row, column: 0)) - 1
                    let place = part.positions[position]
                    let change = try change(in: result, row: row, firstChange: extents[place].firstChange)
                    if let change { records[place].changes.append(change) }
                }
            }
        }

        /// Returns a change, or `nil` if the model does not have its entity.
        private func change(
            in result: PostgresResult, row: Int, firstChange: Int64
        ) throws -> HistoryRecord.Change? {
            guard let index = store.entityIndices[try result.required(row: row, column: 3)],
                let type = HistoryChange.ChangeType(
                    rawValue: Int64(try result.required(Int16.self, row: row, column: 2)))
            else { return nil }
            let primaryKey: Int64 = try result.required(row: row, column: 4)
            guard (1...ObjectKey.maximumPrimaryKey).contains(primaryKey) else {
                throw StoreError.unusableKey(primaryKey)
            }
            let names = try result.array(of: String.self, row: row, column: 5)?.compactMap(\.self) ?? []
            let values = try result.array(of: Data.self, row: row, column: 6) ?? []
            return HistoryRecord.Change(
                number: firstChange + (try result.required(Int64.self, row: row, column: 1)), type: type,
                key: ObjectKey(store: store.index, entity: index, primaryKey: primaryKey),
                updatedProperties: type == .update ? Set(names) : nil,
                tombstone: try tombstone(of: store.directory.model.entities[index], names: names, values: values))
        }

        /// Returns the values that the model preserves. Those of other versions of it, with other names or types, are left out.
        private func tombstone(
            of entity: Entity, names: [String], values: [Data?]
        ) throws -> [String: ManagedValue] {
            var tombstone: [String: ManagedValue] = [:]
            for case (let name, let bytes?) in zip(names, values) {
                guard let attribute = entity.tombstoneAttributes.first(where: { $0.name == name }),
                    case .value(let column)? = store.schema.place(of: entity)?.storage[attribute.slot]
                else { continue }
                do {
                    let field = TombstoneField(bytes: bytes)
                    tombstone[name] = try ServerRowLoader.value(of: attribute, column, in: field)
                } catch {
                    if case .unexpectedType = error { continue }
                    throw StoreError.unreadableValue(error, of: entity, at: attribute.slot)
                }
            }
            return tombstone
        }
    }

    /// **Value.** A value of a tombstone: the number of its type, and its bytes.
    private struct TombstoneField: PostgresField {
        let bytes: Data

        func value<Value: PostgresValue>(_ type: Value.Type) throws(PostgresValueError) -> Value? {
            let (found, bytes) = (bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, bytes.dropFirst(4))
            guard Value.postgresType.accepts(found) else {
                throw .unexpectedType(expected: Value.postgresType.name, found: found)
            }
            return try bytes.withUnsafeBytes { bytes in
                Result { () throws(PostgresValueError) in try Value(postgresBytes: bytes) }
            }.get()
        }
    }

    extension Date {
        /// The date, or one that is as early or late as no transaction, if the server cannot represent it.
        var inHistory: Date { min(max(self, .distantPast), .distantFuture) }
    }

    @available(*, unavailable)
    extension ServerHistoryLoader: Sendable {}
#endif
