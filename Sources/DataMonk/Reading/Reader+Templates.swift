public import DataMonkCore

// Fetch requests that are defined in the model.
extension Reader {
    /// Returns the objects that a fetch request of the model finds, with values for its variables.
    ///
    ///     // In the model: "olderThan", Person, "age > $AGE"
    ///     let old = try update.fetchAll(Person.self, template: "olderThan", ["AGE": 30], orderBy: .Ascending("name"))
    ///
    /// Options override the corresponding settings of the template.
    ///
    /// - Throws: ``/DataMonkCore/FetchError``, naming the template: `unknownTemplate` with the nearest name, `wrongClass`
    ///   if the template is for another entity, `missingVariable`, `unknownVariable`, `typeMismatch` for a value that does
    ///   not fit.
    /// - Complexity: One SELECT.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        // The template's entity is that of the class, or one of its sub-entities.
        try typed(graph.fetch(request(type, template: name, variables, orderBy: orderBy, options: options)))
    }

    /// Returns the ids of the objects that a fetch request of the model finds.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try graph.objectIDs(request(type, template: name, variables, orderBy: orderBy, options: options)).map {
            ObjectID($0)
        }
    }

    /// Returns the number of objects that a fetch request of the model finds.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        options: QueryOptions? = nil
    ) throws -> Int {
        try graph.count(request(type, template: name, variables, options: options))
    }

    private func request(
        _ type: ManagedObject.Type, template name: String, _ variables: [String: any FormatArgument],
        orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> FetchRequest {
        let expected = try graph.entity(for: type)
        let model = graph.coordinator.model
        let template = try model.fetchRequestTemplate(named: name)
        let entity = try graph.entity(named: template.entityName)
        guard entity.isKind(of: expected) else { throw FetchError.wrongTemplate(name, for: entity, expected: expected) }
        var request = try model.fetchRequest(fromTemplate: name, substituting: variables)
        // The call determines the type of its results.
        request.resultType = .managedObjects
        if let orderBy { request.sortTerms = orderBy.terms }
        try apply(options, to: &request)
        return request
    }
}
