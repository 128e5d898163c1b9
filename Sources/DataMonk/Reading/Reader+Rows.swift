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
    /// Unsaved changes are ignored. `orderBy` takes keys and columns of the query, `having` its columns.
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
        let cells = try typedCells(
            type, selections, orderBy: orderBy, groupBy: groupBy, having: having, options: options, where: condition)
        var remaining = cells.makeIterator()
        return (0..<cells.count / selections.count).map { _ in
            (repeat (each columns).read(remaining.next() ?? .null))
        }
    }

    /// Returns the values of typed columns: those of the first row, then those of the second, and so on.
    @usableFromInline
    func typedCells<Object: ManagedObject>(
        _ type: Object.Type, _ selections: [FetchRequest.Selection], orderBy: TypedOrder<Object>?,
        groupBy: TypedGrouping<Object>?, having: ((TypedGroup<Object>) throws -> Query)?, options: QueryOptions?,
        where condition: ((TypedObject<Object>) throws -> Query)?
    ) throws -> [ManagedValue] {
        try valueRows(
            type, Select(selections), condition?(TypedObject()), orderBy: orderBy?.untyped, groupBy: groupBy,
            having: having?(TypedGroup()), options: options
        ).cells
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
        let rows = try values(
            type, Select([column.selection]), condition?(TypedObject()),
            options: options.map { $0 | .Limit(1) } ?? .Limit(1))
        guard let value = rows.first?.first else { throw FetchError.nothingFound(try graph.entity(for: type)) }
        return column.read(value)
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
        let rows = try values(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
        let columns = RowColumns(select.selections.map(\.alias))
        return try rows.map { values in try RowDecoder.decode(row, columns: columns, values: values) }
    }

    /// Returns the values of rows, in the order of the columns.
    func values(
        _ type: ManagedObject.Type, _ select: Select, _ query: Query?, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil, having: Query? = nil, options: QueryOptions? = nil
    ) throws -> [[ManagedValue]] {
        try valueRows(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options
        ).rows
    }

    private func valueRows(
        _ type: ManagedObject.Type, _ select: Select, _ query: Query?, orderBy: OrderBy?,
        groupBy: (any GroupingKeys)?, having: Query?, options: QueryOptions?
    ) throws -> ValueRows {
        try graph.valueRows(
            rowsRequest(
                type, select: select, where: query, orderBy: orderBy, groupBy: groupBy, having: having, options: options
            ))
    }
}
