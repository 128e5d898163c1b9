#if Postgres
    import DataMonkCore
    import Foundation

    /// **Value.** The values of rows as parameters of a statement: an array for each column, which `unnest` makes a table of.
    ///
    /// ```sql
    /// INSERT INTO monk (_id, _entity, _version, name) SELECT * FROM unnest($1, $2, $3, $4)
    /// ```
    /// Arrays have one text of the statement, and so one preparation, for any number of rows.
    struct ServerRowEncoder {
        let plan: ServerRowPlan
        /// The numbers of entities, by their indexes in the model.
        private let numbers: [Int: Int32]

        init(_ plan: ServerRowPlan) {
            self.plan = plan
            numbers = Dictionary(uniqueKeysWithValues: plan.entitiesByNumber.map { ($0.value.index, $0.key) })
        }

        /// Returns the values of columns of some objects' rows.
        ///
        /// Throws a `StoreError` that names the property if a value cannot be stored on the server.
        ///
        /// - Parameter positions: The positions of the columns; `nil` for all of them.
        func parameters(
            _ rows: [(key: ObjectKey, row: Row)], at positions: [Int]? = nil
        ) throws -> PostgresParameters {
            var columns: [[ManagedValue]] = Array(
                repeating: Array(repeating: .null, count: rows.count), count: plan.columns.count)
            for (index, (key, row)) in rows.enumerated() {
                guard let number = numbers[key.entityIndex], let fields = plan.entities[number] else {
                    preconditionFailure("A row is of an entity of the plan")
                }
                columns[0][index] = .int(key.primaryKey)
                columns[1][index] = .int(Int64(number))
                columns[2][index] = .int(row.version)
                for field in fields.fields { put(field, of: row, at: index, into: &columns) }
            }
            try requireRoomInIndexes(columns, rows)
            var parameters = PostgresParameters()
            for position in positions ?? Array(plan.columns.indices) {
                let column = plan.columns[position]
                do {
                    try Self.append(columns[position], of: column.type, to: &parameters)
                } catch {
                    throw StoreError.unwritableValue(error, column: column.name, of: plan)
                }
            }
            return parameters
        }

        /// The number of bytes that an entry of an index has room for. PostgreSQL has a few more, and fills them with what
        /// depends on its version.
        private static let indexedByteCount = 2_600

        /// Throws if values do not fit into an index, of which the server would only tell the size.
        private func requireRoomInIndexes(_ columns: [[ManagedValue]], _ rows: [(key: ObjectKey, row: Row)]) throws {
            for positions in plan.indexedPositions {
                for (index, (key, _)) in rows.enumerated() {
                    let counts = positions.map { columns[$0][index].byteCount }
                    guard counts.reduce(0, +) > Self.indexedByteCount,
                        let longest = zip(counts, positions).max(by: { $0.0 < $1.0 })?.1,
                        let fields = numbers[key.entityIndex].flatMap({ plan.entities[$0] })
                    else { continue }
                    throw StoreError.indexedValueTooLong(
                        at: longest, of: fields, maximum: Self.indexedByteCount)
                }
            }
        }

        private func put(
            _ field: ServerRowPlan.Field, of row: Row, at index: Int, into columns: inout [[ManagedValue]]
        ) {
            switch field.kind {
            case .value(let attribute): columns[field.position][index] = attribute.value(in: row.pointer)
            case .composite(let attribute):
                guard case .dictionary(let values) = attribute.value(in: row.pointer) else { return }
                for (offset, element) in attribute.elements.enumerated() {
                    columns[field.position + offset][index] = values[element.name] ?? .null
                }
            case .toOne(_, let hasEntity):
                guard !RowFormat.isNull(in: row.pointer, at: field.slot),
                    let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: field.slot))
                else { return }
                columns[field.position][index] = .int(key.primaryKey)
                if hasEntity {
                    columns[field.position + 1][index] = numbers[key.entityIndex].map { .int(Int64($0)) } ?? .null
                }
            }
        }

        /// Appends an array of values of a type.
        static func append(
            _ values: [ManagedValue], of type: PostgresType, to parameters: inout PostgresParameters
        ) throws(PostgresValueError) {
            switch type {
            case .int2: try parameters.append(array: narrowed(values, to: Int16.self))
            case .int4: try parameters.append(array: narrowed(values, to: Int32.self))
            case .int8: try parameters.append(array: values.map(\.number))
            case .float4: try parameters.append(array: values.map { Double(managedValue: $0).map(Float.init) })
            case .float8: try parameters.append(array: values.map { Double(managedValue: $0) })
            case .bool: try parameters.append(array: values.map { Bool(managedValue: $0) })
            case .numeric: try parameters.append(array: values.map { Decimal(managedValue: $0) })
            case .timestamptz: try parameters.append(array: values.map { Date(managedValue: $0) })
            case .uuid: try parameters.append(array: values.map { UUID(managedValue: $0) })
            case .text: try parameters.append(array: values.map(\.text))
            default: try parameters.append(array: values.map { Data(managedValue: $0) })
            }
        }

        private static func narrowed<Number: PostgresValue & FixedWidthInteger>(
            _ values: [ManagedValue], to type: Number.Type
        ) throws(PostgresValueError) -> [Number?] {
            var numbers: [Number?] = []
            for value in values {
                let number = value.number.flatMap { Number(exactly: $0) }
                if number == nil, value.number != nil { throw .integerOutOfRange(type: Number.postgresType.name) }
                numbers.append(number)
            }
            return numbers
        }
    }

    extension ManagedValue {
        fileprivate var number: Int64? {
            if case .int(let number) = self { number } else { nil }
        }

        /// The number of bytes of a text or of data.
        fileprivate var byteCount: Int {
            if case .data(let data) = self { data.count } else { text?.utf8.count ?? 0 }
        }

        fileprivate var text: String? {
            switch self {
            case .string(let text): text
            case .url(let url): url.absoluteString
            default: nil
            }
        }
    }
#endif
