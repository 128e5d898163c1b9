public import DataMonkCore

// For programs whose entities are known only at run time: a stack over a model without classes.
extension Reader {
    /// Returns the objects of an entity that meet a condition, in the given order.
    ///
    ///     let people = try update.fetchAll(entityName: "Person", %"age" >= 18)
    ///     let names = try people.map { try $0.value(forKey: "name") }
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for an unknown entity, or for an invalid key or comparison, before the store
    ///   is accessed.
    /// - Complexity: One SELECT.
    public func fetchAll(
        entityName: String, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ManagedObject] {
        try graph.fetch(request(entityName, where: query, orderBy: orderBy, options: options))
    }

    /// Returns the number of objects of an entity that meet a condition, with `SELECT count(*)`.
    public func count(entityName: String, _ query: Query? = nil, options: QueryOptions? = nil) throws -> Int {
        try graph.count(request(entityName, where: query, options: options))
    }

    func request(
        _ entityName: String, where query: Query?, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> FetchRequest {
        var request = FetchRequest(entityName: entityName, condition: query?.condition)
        if let orderBy { request.sortTerms = orderBy.terms }
        try apply(options, to: &request)
        return request
    }

    /// Applies options to a request. They may change anything but the class of its objects, which the call states.
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

extension Update {
    /// Creates an object of an entity with its default values.
    ///
    ///     let person = try update.create(entityName: "Person")
    ///     try person.setValue("Monk", forKey: "name")
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for an unknown entity, ``/DataMonkCore/ModelError`` for an abstract one.
    public func create(entityName: String) throws -> ManagedObject {
        try graph.insert(graph.entity(named: entityName))
    }
}
