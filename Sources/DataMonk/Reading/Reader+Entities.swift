public import DataMonkCore

// For programs that learn their entities at run time: a stack over a model without classes.
extension Reader {
    /// The objects of an entity that meet a condition, in an order.
    ///
    ///     let people = try update.fetchAll(entityName: "Person", %"age" >= 18)
    ///     let names = try people.map { try $0.value(forKey: "name") }
    ///
    /// - Throws: ``FetchError`` for an unknown entity, or a key or a comparison that means nothing, before the store is
    ///   asked.
    /// - Complexity: one SELECT.
    public func fetchAll(
        entityName: String, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ManagedObject] {
        try graph.fetch(request(entityName, query, orderBy, options))
    }

    /// How many objects of an entity meet a condition: `SELECT count(*)`.
    public func count(entityName: String, _ query: Query? = nil, options: QueryOptions? = nil) throws -> Int {
        try graph.count(request(entityName, query, nil, options))
    }

    func request(
        _ entityName: String, _ query: Query?, _ orderBy: OrderBy?, _ options: QueryOptions?
    ) throws -> FetchRequest {
        var request = FetchRequest(entityName: entityName, condition: query?.condition)
        if let orderBy { request.sortTerms = orderBy.terms }
        try apply(options, to: &request)
        return request
    }

    /// Options may change anything about a request, but the class of its objects is written in the call.
    func apply(_ options: QueryOptions?, to request: inout FetchRequest) throws {
        guard let options else { return }
        let asked = request.entityName
        options.apply(to: &request)
        if request.entityName == asked { return }
        guard try graph.entity(named: request.entityName).isKind(of: graph.entity(named: asked)) else {
            throw FetchError.otherEntity(request.entityName, than: asked)
        }
    }
}

extension MainContext {
    /// The objects of an entity that meet a condition, in an order. See ``Reader/fetchAll(entityName:_:orderBy:options:)``.
    public func fetchAll(
        entityName: String, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ManagedObject] {
        try reader.fetchAll(entityName: entityName, query, orderBy: orderBy, options: options)
    }

    /// How many objects of an entity meet a condition.
    public func count(entityName: String, _ query: Query? = nil, options: QueryOptions? = nil) throws -> Int {
        try reader.count(entityName: entityName, query, options: options)
    }
}

extension Update {
    /// Makes a new object of an entity with its default values.
    ///
    ///     let person = try update.create(entityName: "Person")
    ///     try person.setValue("Monk", forKey: "name")
    ///
    /// - Throws: ``FetchError`` for an unknown entity, ``ModelError`` for an abstract one.
    public func create(entityName: String) throws -> ManagedObject {
        try graph.insert(graph.entity(named: entityName))
    }
}
