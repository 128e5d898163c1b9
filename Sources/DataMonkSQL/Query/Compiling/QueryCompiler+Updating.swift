package import DataMonkCore

/// **Value.** A batch update as one statement.
///
///     UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = datamonk_calculate('add:to:', 'ii', t0.ZAGE, ?), ZNAME = ?
///     WHERE Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 WHERE …) RETURNING Z_PK, Z_ENT, Z_OPT, ZAGE
///
/// SET is evaluated row by row, and sees the rows that are already written. Values that come from other rows are therefore
/// all computed before the first row is written:
///
///     WITH computed(k, v0) AS MATERIALIZED (SELECT t0.Z_PK, t1.ZAGE FROM ZPERSON t0 LEFT JOIN … WHERE …)
///     UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = computed.v0, ZNAME = ? FROM computed WHERE Z_PK = computed.k
///     RETURNING …
package struct SQLUpdate: Sendable {
    /// **Value.** The source of a parameter's value.
    package enum Parameter: Sendable {
        /// A slot of the row of constants, which may take two parameters.
        case slot(RowWriting.Column)
        case constant(SQLBinding)
    }

    package let sql: String
    package let parameters: [Parameter]
    /// The computed values, in columns after the three that are always returned.
    package let computed: [(attribute: Entity.Attribute, column: ValueColumn)]
}

extension QueryCompiler {
    /// Compiles a batch update.
    package func update(_ update: ResolvedBatchUpdate) throws(FetchError) -> SQLUpdate {
        let entity = update.fetch.entity
        let storage = try schema.storage(of: entity)
        let columns = RowWriting(storage).columns
        let values = try UpdateValues(update, schema: schema, storeIndex: storeIndex)
        var parameters: [SQLUpdate.Parameter] = []
        var settings = ["Z_OPT = Z_OPT + 1"]
        var computed: [(Entity.Attribute, ValueColumn)] = []
        var returned = ["Z_PK", "Z_ENT", "Z_OPT"]
        for (position, assignment) in update.assignments.enumerated() {
            guard let column = columns.first(where: { $0.slot == assignment.property.slot }) else {
                throw notUpdatable(assignment.property, of: entity)
            }
            guard let text = values.texts[position], let attribute = assignment.property.attribute else {
                settings += column.names.map { "\($0) = ?" }
                // A position among the old owner's objects means nothing among the new owner's.
                if let order = try orderColumn(of: assignment.property) { settings.append("\(order) = NULL") }
                parameters.append(.slot(column))
                continue
            }
            settings.append("\(column.names[0]) = \(text.text)")
            parameters += text.bindings.map { .constant($0) }
            if attribute.isDerived { continue }
            computed.append((attribute, ValueColumn(attribute, at: returned.count)))
            returned.append(column.names[0])
        }
        let rows = values.rows.bindings.map { SQLUpdate.Parameter.constant($0) }
        parameters = values.areSelected ? rows + parameters : parameters + rows
        try SelectCompiler.checkParameters(parameters.count, entity)
        let table = "\(storage.table.identifier) AS \(SelectCompiler.rootAlias)"
        let setting = "UPDATE \(table) SET \(settings.joined(separator: ", "))"
        let sql = "\(values.sql(of: setting)) RETURNING \(returned.joined(separator: ", "))"
        return SQLUpdate(sql: sql, parameters: parameters, computed: computed)
    }

    /// Returns the column with the position in the ordered to-many relationship that is the inverse of a to-one.
    package func orderColumn(of property: Entity.Property) throws(FetchError) -> String? {
        guard let inverse = property.relationship?.inverse, inverse.isOrdered,
            case .toMany(let storage) = try schema.storage(of: inverse)
        else { return nil }
        return storage.orderColumn?.identifier
    }

    private func notUpdatable(_ property: Entity.Property, of entity: Entity) -> FetchError {
        FetchError(
            .unsupportedByStore,
            """
            \(entity.name).\(property.name) has no column of its own, so a batch update cannot set it. Set it on \
            objects in an update.
            """,
            entityName: entity.name, keyPath: property.name)
    }
}

/// **Value.** The new values of a batch update, and the rows that get them.
private struct UpdateValues {
    /// The SQL of each assignment's value in SET; `nil` for a constant.
    let texts: [SQLText?]
    /// A Boolean value indicating whether `rows` selects the values together with the keys.
    let areSelected: Bool
    /// The SELECT of the keys of the rows to update.
    let rows: SQLQuery
    /// The columns of `rows`.
    private let names: [String]

    init(_ update: ResolvedBatchUpdate, schema: StoreSchema, storeIndex: Int) throws(FetchError) {
        var compiler = try SelectCompiler(update.fetch, schema: schema, storeIndex: storeIndex)
        var texts: [SQLText?] = []
        for assignment in update.assignments {
            guard let expression = assignment.expression else {
                texts.append(nil)
                continue
            }
            texts.append(try compiler.comparable(expression))
        }
        areSelected = compiler.usesOtherTables
        var list = SQLText(compiled: "\(SelectCompiler.rootAlias).Z_PK")
        var names = ["k"]
        if areSelected {
            for (position, text) in texts.enumerated() {
                guard let text else { continue }
                let name = "v\(position)"
                list.append(", ")
                list.append(text)
                names.append(name)
                texts[position] = SQLText(compiled: "computed.\(name)")
            }
        }
        rows = try compiler.select(list, result: .count, orderedByKey: false)
        self.names = names
        self.texts = texts
    }

    /// Returns an UPDATE without clauses, limited to the rows and with access to their values.
    func sql(of update: String) -> String {
        guard areSelected else { return "\(update) WHERE Z_PK IN (\(rows.sql))" }
        return """
            WITH computed(\(names.joined(separator: ", "))) AS MATERIALIZED (\(rows.sql)) \
            \(update) FROM computed WHERE Z_PK = computed.k
            """
    }
}
