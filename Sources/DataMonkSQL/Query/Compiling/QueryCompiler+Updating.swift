package import DataMonkCore

/// **Value.** A batch update as one statement.
///
///     UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = datamonk_calculate('add:to:', 'ii', t0.ZAGE, ?), ZNAME = ?
///     WHERE Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 WHERE …) RETURNING Z_PK, Z_ENT, Z_OPT, ZAGE
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
        var parameters: [SQLUpdate.Parameter] = []
        var settings = ["Z_OPT = Z_OPT + 1"]
        var computed: [(Entity.Attribute, ValueColumn)] = []
        var returned = ["Z_PK", "Z_ENT", "Z_OPT"]
        for assignment in update.assignments {
            guard let column = columns.first(where: { $0.slot == assignment.property.slot }) else {
                throw notUpdatable(assignment.property, of: entity)
            }
            guard let expression = assignment.expression, let attribute = assignment.property.attribute else {
                settings += column.names.map { "\($0) = ?" }
                // A position among the old owner's objects means nothing among the new owner's.
                if let order = try orderColumn(of: assignment.property) { settings.append("\(order) = NULL") }
                parameters.append(.slot(column))
                continue
            }
            let text = try self.text(of: expression, update.fetch)
            settings.append("\(column.names[0]) = \(text.text)")
            parameters += text.bindings.map { .constant($0) }
            if attribute.isDerived { continue }
            computed.append((attribute, ValueColumn(attribute, at: returned.count)))
            returned.append(column.names[0])
        }
        let keys = try primaryKeys(update.fetch)
        parameters += keys.bindings.map { .constant($0) }
        try SelectCompiler.checkParameters(parameters.count, entity)
        let sql = """
            UPDATE \(storage.table.identifier) AS \(SelectCompiler.rootAlias) SET \(settings.joined(separator: ", ")) \
            WHERE Z_PK IN (\(keys.sql)) RETURNING \(returned.joined(separator: ", "))
            """
        return SQLUpdate(sql: sql, parameters: parameters, computed: computed)
    }

    /// Returns the column with the position in the ordered to-many relationship that is the inverse of a to-one.
    package func orderColumn(of property: Entity.Property) throws(FetchError) -> String? {
        guard let inverse = property.relationship?.inverse, inverse.isOrdered,
            case .toMany(let storage) = try schema.storage(of: inverse)
        else { return nil }
        return storage.orderColumn?.identifier
    }

    private func primaryKeys(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        return try compiler.select(
            SQLText(compiled: "\(SelectCompiler.rootAlias).Z_PK"), result: .count, orderedByKey: false)
    }

    private func text(of expression: ResolvedExpression, _ fetch: ResolvedFetch) throws(FetchError) -> SQLText {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let text = try compiler.comparable(expression)
        guard compiler.scopes[0].joins.isEmpty else {
            throw FetchError(
                .unsupportedByStore,
                """
                A batch update of \(fetch.entity.name) cannot compute a value from related objects. Use the object's \
                own attributes, or change the objects and save.
                """, entityName: fetch.entity.name)
        }
        return text
    }

    private func notUpdatable(_ property: Entity.Property, of entity: Entity) -> FetchError {
        FetchError(
            .unsupportedByStore,
            "\(entity.name).\(property.name) has no column of its own, so a batch update cannot set it.",
            entityName: entity.name, keyPath: property.name)
    }
}
