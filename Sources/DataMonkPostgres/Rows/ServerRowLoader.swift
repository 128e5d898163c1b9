#if Postgres
    import DataMonkCore
    import Foundation

    /// **Value.** Packs rows of a statement's result into rows of the engine.
    struct ServerRowLoader {
        let plan: ServerRowPlan
        /// The store's place among the coordinator's stores.
        let storeIndex: Int

        /// Returns the key of a row's object, and the fields of its entity.
        ///
        /// Throws a `StoreError` if the row cannot be an object of the plan's entities.
        func key(
            of result: PostgresResult, row: Int
        ) throws -> (key: ObjectKey, fields: ServerRowPlan.EntityFields) {
            let number: Int32 = try result.required(row: row, column: 1)
            guard let fields = plan.entities[number] else { throw StoreError.unexpectedEntity(number) }
            let primaryKey = try usable(result.required(row: row, column: 0))
            let index = fields.place.entity.index
            return (ObjectKey(store: storeIndex, entity: index, primaryKey: primaryKey), fields)
        }

        /// Passes a row to a sink, unless that has it or the row is not wanted.
        ///
        /// Throws like `key` and `pack`.
        func load(
            _ result: PostgresResult, row: Int, into sink: some RowSink,
            where isWanted: (ObjectKey) -> Bool = { _ in true }
        ) throws {
            let (key, fields) = try key(of: result, row: row)
            guard isWanted(key), sink.wants(key) else { return }
            sink.take(key, row: try pack(result, row: row, fields: fields, into: &sink.arena))
        }

        /// Packs a row.
        ///
        /// Throws a `StoreError` if a value is none of the attribute's, or the row would be too long.
        func pack(
            _ result: PostgresResult, row: Int, fields: ServerRowPlan.EntityFields, into arena: inout RowArena
        ) throws -> Row {
            let layout = fields.layout
            let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
            var editor = RowEditor(draft)
            for field in fields.fields {
                do {
                    try put(field, of: result, row: row, into: &editor)
                } catch let error as PostgresValueError {
                    throw StoreError.unreadableValue(error, of: layout.entity, at: field.slot)
                }
            }
            if draft.refusedSlot >= 0 { throw StoreError.rowTooLarge(layout.entity) }
            return layout.seal(draft, version: try result.required(row: row, column: 2), in: &arena)
        }

        private func put(
            _ field: ServerRowPlan.Field, of result: PostgresResult, row: Int, into editor: inout RowEditor
        ) throws {
            switch field.kind {
            case .value(let attribute):
                let value = try Self.value(
                    of: attribute, field.columns[0], in: ResultField(result, row: row, column: field.position))
                if !value.isNull { attribute.write(value, to: &editor) }
            case .composite(let attribute):
                var values: [String: ManagedValue] = [:]
                for (offset, element) in attribute.elements.enumerated() {
                    let value = try Self.value(
                        of: element, field.columns[offset],
                        in: ResultField(result, row: row, column: field.position + offset))
                    if !value.isNull { values[element.name] = value }
                }
                attribute.write(.dictionary(values), to: &editor)
            case .toOne(let destination, let hasEntity):
                guard let primaryKey: Int64 = try result.value(row: row, column: field.position) else { return }
                var entity = destination
                if hasEntity {
                    let number: Int32 = try result.required(row: row, column: field.position + 1)
                    // An object of any other entity has other properties at the slots that are read.
                    guard let found = plan.entitiesByNumber[number], found.isKind(of: destination) else {
                        throw StoreError.unexpectedEntity(number)
                    }
                    entity = found
                }
                let key = ObjectKey(store: storeIndex, entity: entity.index, primaryKey: try usable(primaryKey))
                editor.setInt64(Int64(bitPattern: key.rawValue), at: field.slot)
            }
        }

        /// Returns a value in dynamic form.
        static func value(
            of attribute: Entity.Attribute, _ column: ServerColumn, in field: some PostgresField
        ) throws(PostgresValueError) -> ManagedValue {
            func read<Value: PostgresValue>(
                _ make: (Value) -> ManagedValue
            ) throws(PostgresValueError) -> ManagedValue {
                try field.value(Value.self).map(make) ?? .null
            }
            return switch column.type {
            case .int2: try read { (value: Int16) in .int(Int64(value)) }
            case .int4: try read { (value: Int32) in .int(Int64(value)) }
            case .int8: try read { (value: Int64) in .int(value) }
            case .float4: try read { (value: Float) in .double(Double(value)) }
            case .float8: try read { (value: Double) in .double(value) }
            case .bool: try read { (value: Bool) in .bool(value) }
            case .numeric: try exact(try field.value(Decimal.self))
            case .timestamptz: try read { (value: Date) in .date(value) }
            case .uuid: try read { (value: UUID) in .uuid(value) }
            case .text where attribute.type == .uri:
                try url(try field.value(String.self))
            case .text: try read { (value: String) in .string(value) }
            default: try read { (value: Data) in .data(value) }
            }
        }

        /// Refuses a number that an object would round: it has integers of 64 bits, and otherwise the digits of a double.
        private static func exact(_ value: Decimal?) throws(PostgresValueError) -> ManagedValue {
            guard let value else { return .null }
            guard value.stored == value else { throw .numericOutOfRange }
            return .decimal(value)
        }

        private static func url(_ text: String?) throws(PostgresValueError) -> ManagedValue {
            guard let text else { return .null }
            guard let url = URL(string: text) else { throw .notAURL }
            return .url(url)
        }

        private func usable(_ primaryKey: Int64) throws -> Int64 {
            guard (1...ObjectKey.maximumPrimaryKey).contains(primaryKey) else {
                throw StoreError.unusableKey(primaryKey)
            }
            return primaryKey
        }
    }

    /// A value of the server's.
    protocol PostgresField {
        /// Returns the value; `nil` for NULL.
        ///
        /// Throws a ``PostgresValueError`` if it has another type, or `Value` cannot represent it.
        func value<Value: PostgresValue>(_ type: Value.Type) throws(PostgresValueError) -> Value?
    }

    /// **Value.** A value in a row of a result.
    private struct ResultField: PostgresField {
        let result: PostgresResult
        let row: Int
        let column: Int

        init(_ result: PostgresResult, row: Int, column: Int) {
            self.result = result
            self.row = row
            self.column = column
        }

        func value<Value: PostgresValue>(_ type: Value.Type) throws(PostgresValueError) -> Value? {
            try result.value(type, row: row, column: column)
        }
    }
#endif
