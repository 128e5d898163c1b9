public import DataMonkCore

extension MainReading {
    /// Returns the objects that a fetch request of the model finds. See
    /// ``Reader/fetchAll(_:template:_:orderBy:options:)-(_,_,_,OrderBy?,_)``.
    ///
    ///     let old = try World.fetchAll(Person.self, template: "olderThan", ["AGE": 30])
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        try reader.fetchAll(type, template: name, variables, orderBy: orderBy, options: options)
    }

    /// Returns the ids of the objects that a fetch request of the model finds.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try reader.fetchAllID(type, template: name, variables, orderBy: orderBy, options: options)
    }

    /// Returns the number of objects that a fetch request of the model finds.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        options: QueryOptions? = nil
    ) throws -> Int {
        try reader.count(type, template: name, variables, options: options)
    }
}
