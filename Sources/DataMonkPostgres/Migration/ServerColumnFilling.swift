#if Postgres
    import DataMonkCore
    import DataMonkSQL

    /// **Value.** The values that an attribute's column, or that of an element of a composite one, gets in the rows that are
    /// there.
    struct ServerColumnFilling {
        /// **Value.** The source of the values in the rows of some entities.
        private enum Source: Hashable {
            /// They are in the column.
            case own
            /// Those of another column.
            case column(String)
            /// The value that every object begins with.
            case constant(ManagedValue)
        }

        private struct Group: Hashable {
            let source: Source
            /// The value for rows without one; null if they stay so.
            var replacement = ManagedValue.null
        }

        let column: ServerColumn
        let root: Entity
        /// A Boolean value indicating whether the column is new.
        let isAdded: Bool
        /// The value of rows that say nothing of the column: those that are there when it is added, and those of processes that
        /// do not know it.
        let defaultValue: ManagedValue
        private let table: String
        private var groups: [Group: [Entity]] = [:]

        /// - Parameter element: The position of the element of a composite attribute.
        init(
            _ column: ServerColumn, of attribute: Entity.Attribute, element: Int?, in new: ServerSchema,
            after succession: ServerSuccession
        ) {
            self.column = column
            root = attribute.entity.root
            let name = new.place(of: root)?.table.name ?? ""
            table = new.namespace.qualified(name)
            isAdded = !succession.old.columns.contains { $0.table == name && $0.column.name == column.name }
            defaultValue = (element.map { attribute.elements[$0] } ?? attribute).description.defaultValue
            var filled: Set<Entity> = []
            for entity in attribute.entity.family {
                guard let own = entity.attribute(named: attribute.name), let source = succession.source(of: entity)
                else { continue }
                filled.insert(source)
                let description = (element.map { own.elements[$0] } ?? own).description
                add(source, of: entity, description, from: own, after: succession)
            }
            if isAdded { return }
            // Values of other entities leave the column.
            for entity in succession.old.numbering.entities where !filled.contains(entity) {
                guard succession.keepsObjects(of: entity), entity.root === succession.sourceRoot(of: root),
                    succession.old.place(of: entity)?.storage.contains(where: { $0.values.contains(column) }) == true
                else { continue }
                groups[Group(source: .constant(.null)), default: []].append(entity)
            }
        }

        /// - Parameters:
        ///   - source: The old entity of the objects.
        ///   - description: That of the attribute, or of the element.
        private mutating func add(
            _ source: Entity, of entity: Entity, _ description: AttributeDescription,
            from attribute: Entity.Attribute, after succession: ServerSuccession
        ) {
            let past = succession.mapping.source(of: .attribute(attribute), in: entity)?.attribute
            let storage = past.flatMap { succession.old.place(of: source)?.storage[$0.slot] }
            var found: (column: ServerColumn, description: AttributeDescription)?
            switch (storage, past) {
            case (.value(let column), let past?): found = (column, past.description)
            case (.composite(let columns), let past?):
                found = zip(columns, past.elements.map(\.description)).first { $0.1.name == description.name }
            default: break
            }
            guard let found else {
                groups[Group(source: .constant(description.defaultValue)), default: []].append(source)
                return
            }
            let isRequiredNow = found.description.isOptional && !description.isOptional
            let group = Group(
                source: found.column.name == column.name ? .own : .column(found.column.identifier),
                replacement: isRequiredNow ? description.defaultValue : .null)
            groups[group, default: []].append(source)
        }

        /// Returns the statements that write the values. Rows that already have them are not written.
        func statements(after succession: ServerSuccession) throws -> [PostgresStatement] {
            let name = column.identifier
            let ordered = groups.map { (group: $0, numbers: succession.list($1)) }.sorted { $0.numbers < $1.numbers }
            return try ordered.compactMap { group, numbers in
                var parameters = PostgresParameters()
                let value: String
                switch group.source {
                case .own:
                    if group.replacement.isNull { return nil }
                    try column.append(group.replacement, to: &parameters)
                    value = "coalesce(\(name), ($1)[1])"
                case .column(let other):
                    if !group.replacement.isNull { try column.append(group.replacement, to: &parameters) }
                    value = group.replacement.isNull ? other : "coalesce(\(other), ($1)[1])"
                case .constant(let constant):
                    // An added column has it in all rows.
                    if isAdded, constant == defaultValue { return nil }
                    try column.append(constant, to: &parameters)
                    value = "($1)[1]"
                }
                return PostgresStatement(
                    """
                    UPDATE \(table) SET \(name) = \(value) \
                    WHERE "_entity" IN (\(numbers)) AND \(name) IS DISTINCT FROM \(value)
                    """, parameters)
            }
        }

        /// Returns the statement that adds the column.
        ///
        /// A constant default is kept beside the table, so that no row is written, however many there are.
        ///
        /// - Parameter quote: Returns a value of a column as a constant of SQL.
        func addition(_ quote: (ManagedValue, ServerColumn) throws -> String) throws -> String {
            var definition = column.definition
            if !defaultValue.isNull {
                let literal = try quote(defaultValue, column)
                definition += " DEFAULT CAST(\(literal) AS \(column.type.name))"
            }
            return "ALTER TABLE \(table) ADD COLUMN \(definition)"
        }
    }

    extension ServerStorage {
        /// The columns with values.
        var values: [ServerColumn] {
            switch self {
            case .value(let column): [column]
            case .composite(let columns): columns
            case .none, .toOne, .toMany, .links: []
            }
        }
    }

    extension ServerColumn {
        /// Appends an array of one value, a default of the model's.
        ///
        /// Throws a `StoreError` if the server cannot have it.
        func append(_ value: ManagedValue, to parameters: inout PostgresParameters) throws {
            do {
                try ServerRowEncoder.append([stored(value)], of: type, to: &parameters)
            } catch {
                throw StoreError.unwritableDefault(error, of: self)
            }
        }

        /// Returns a value as the server stores it.
        private func stored(_ value: ManagedValue) -> ManagedValue {
            switch (type, value) {
            case (.bool, .int(let number)): .bool(number != 0)
            // Reason for try?: a date that the server cannot represent is refused when it is encoded.
            case (.timestamptz, .date(let date)): .date((try? date.roundedForPostgres()) ?? date)
            default: value
            }
        }
    }
#endif
