public import DataMonkCore

// Rows of values as types of the caller.
extension Reader {
    /// Returns rows of typed columns instead of objects.
    ///
    ///     let rows = try reader.query(Person.self, .select(\.name), .select(\.friend.age)) { $0.age >= 18 }
    ///     // SELECT t0.ZNAME, t1.ZAGE FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND WHERE t0.ZAGE >= ?1
    ///     for (name, age) in rows { print(name, age ?? 0) }       // String, Int?
    ///
    ///     let places = try reader.query(
    ///         Person.self, .select(\.location), .average(\.age), .count, orderBy: .descending(.average(\.age)),
    ///         groupBy: .key(\.location), having: { $0[.count] > 1 })
    ///     // SELECT t0.ZLOCATION, AVG(t0.ZAGE), COUNT(*) FROM ZPERSON t0 GROUP BY t0.ZLOCATION
    ///     // HAVING COUNT(*) > ?1 ORDER BY AVG(t0.ZAGE) DESC
    ///
    /// Unsaved changes are ignored. `orderBy` takes keys and columns of the query, `having` its columns. The same column may
    /// be selected twice.
    ///
    /// - Returns: A tuple for each row with a value for each column. The value of a single column is returned without a
    ///   tuple.
    /// - Throws: ``/DataMonkCore/FetchError`` for an invalid query, before the store is accessed.
    /// - Complexity: One SELECT.
    @inlinable
    public func query<Object: ManagedObject, each Value>(
        _ type: Object.Type, _ columns: repeat TypedColumn<Object, each Value>, orderBy: TypedOrder<Object>? = nil,
        groupBy: TypedGrouping<Object>? = nil, having: ((TypedGroup<Object>) throws -> Query)? = nil,
        options: QueryOptions? = nil, where condition: ((TypedObject<Object>) throws -> Query)? = nil
    ) throws -> [(repeat each Value)] {
        // Inlinable, as `TypedColumn.select` is: generic code would look up the tuple's type, and those of the values, for
        // each row, which takes longer than reading it.
        var selections: [FetchRequest.Selection] = []
        for column in repeat each columns { selections.append(column.selection) }
        var cursor = try typedRows(
            type, selections, orderBy: orderBy, groupBy: groupBy, having: having, options: options, where: condition)
        return (0..<cursor.rowCount).map { _ in (repeat (each columns).read(&cursor)) }
    }

    /// Returns the rows of typed columns.
    @usableFromInline
    func typedRows<Object: ManagedObject>(
        _ type: Object.Type, _ selections: [FetchRequest.Selection], orderBy: TypedOrder<Object>?,
        groupBy: TypedGrouping<Object>?, having: ((TypedGroup<Object>) throws -> Query)?, options: QueryOptions?,
        where condition: ((TypedObject<Object>) throws -> Query)?
    ) throws -> ValueRows.Cursor {
        try valueRows(
            type, Select(named(selections)), condition?(TypedObject()), orderBy: orderBy?.untyped, groupBy: groupBy,
            having: having?(TypedGroup()), options: options)
    }

    /// Returns columns with different names: a typed query tells them apart by their positions, and may have the same twice.
    private func named(_ selections: [FetchRequest.Selection]) -> [FetchRequest.Selection] {
        var selections = selections
        for index in selections.indices.dropFirst() {
            let alias = selections[index].alias
            if selections[..<index].contains(where: { $0.alias.utf8.elementsEqual(alias.utf8) }) {
                selections[index].alias = "\(alias) (column \(index + 1))"
            }
        }
        return selections
    }

    /// Returns a single value of a typed column, from the first row.
    ///
    ///     let mean = try reader.queryValue(Person.self, .average(\.age)) { $0.location == "Taipei" }     // Decimal?
    ///     // SELECT AVG(t0.ZAGE) FROM ZPERSON t0 WHERE t0.ZLOCATION = ?1
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for an invalid query, before the store is accessed; with the code
    ///   `objectNotFound` if there is no row. Aggregates always have one.
    public func queryValue<Object: ManagedObject, Value>(
        _ type: Object.Type, _ column: TypedColumn<Object, Value>, options: QueryOptions? = nil,
        where condition: ((TypedObject<Object>) throws -> Query)? = nil
    ) throws -> Value {
        var row = try valueRows(
            type, Select([column.selection]), condition?(TypedObject()),
            options: options.map { $0 | .Limit(1) } ?? .Limit(1))
        guard row.rowCount > 0 else { throw FetchError.nothingFound(try graph.entity(for: type)) }
        return column.read(&row)
    }

    /// Returns rows of values, each decoded into a type of the caller by the names of the columns.
    ///
    ///     struct Place: Decodable {
    ///         var location: String?
    ///         var mean: Decimal
    ///     }
    ///     let places = try reader.query(
    ///         Person.self, .Select("location") | .Average("age", alias: "mean"), groupBy: %"location", as: Place.self)
    ///
    /// Numbers can be decoded into every type that represents them exactly, aggregates also into `Double`; dates, data,
    /// decimals, UUIDs, URLs and enums with a raw value into their own types. Unsaved changes are ignored.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `typeMismatch` for a row that does not fit, naming the column;
    ///   also for an invalid query, before the store is accessed.
    /// - Complexity: One SELECT.
    public func query<Object: ManagedObject, Row: Decodable>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil, having: Query? = nil, options: QueryOptions? = nil, as row: Row.Type
    ) throws -> [Row] {
        var cursor = try valueRows(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
        let columns = RowColumns(select.selections.map(\.alias))
        var values = columns.names.map { _ in ManagedValue.null }
        return try (0..<cursor.rowCount).map { _ in
            for column in values.indices { values[column] = cursor.next() }
            return try RowDecoder.decode(row, columns: columns, values: values)
        }
    }

    /// Returns rows of values, to be read in the order of the columns.
    func valueRows(
        _ type: ManagedObject.Type, _ select: Select, _ query: Query?, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil, having: Query? = nil, options: QueryOptions? = nil
    ) throws -> ValueRows.Cursor {
        let request = try rowsRequest(
            type, select: select, where: query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
        return ValueRows.Cursor(try graph.valueRows(request))
    }
}
