extension ManagedObjectModel {
    /// The template of a name.
    ///
    /// - Throws: ``FetchError`` with the code `unknownTemplate` and the nearest name.
    public func fetchRequestTemplate(named name: String) throws(FetchError) -> FetchRequestTemplate {
        if let template = fetchRequestTemplates[name] { return template }
        throw .unknownTemplate(name, in: self)
    }

    /// A request made of a template, with values for the variables of its condition.
    ///
    ///     // In the model: "olderThan", Person, "age > $AGE"
    ///     var request = try model.fetchRequest(fromTemplate: "olderThan", substituting: ["AGE": 30])
    ///     request.sortTerms = [SortTerm("name")]
    ///
    /// Templates have no order: put one into the request.
    ///
    /// - Throws: ``FetchError``, naming the template: `unknownTemplate`; `invalidFormat` if its condition cannot be read;
    ///   `missingVariable` and `unknownVariable`; what a fetch would throw for a key or a value that does not fit.
    public func fetchRequest(
        fromTemplate name: String, substituting values: [String: any FormatArgument] = [:]
    ) throws(FetchError) -> FetchRequest {
        let template = try fetchRequestTemplate(named: name)
        do {
            var request = FetchRequest(template)
            let condition = try template.condition()
            if condition != nil || !values.isEmpty {
                request.condition = try (condition ?? .constant(true)).substituting(values)
            }
            // What does not fit is found here, where the template's name is known.
            var objects = request
            if objects.resultType == .dictionaries { objects.resultType = .managedObjects }
            _ = try ResolvedFetch(objects, model: self)
            return request
        } catch {
            throw error.inTemplate(name)
        }
    }
}

extension FetchRequestTemplate {
    /// The condition, nil for all objects; its variables have no values yet.
    func condition() throws(FetchError) -> Condition? {
        guard let predicateFormat else { return nil }
        return try Condition(format: predicateFormat)
    }
}

extension FetchRequest {
    /// What a template says, but for its condition.
    init(_ template: FetchRequestTemplate) {
        self.init(entityName: template.entityName)
        fetchLimit = template.fetchLimit
        fetchBatchSize = template.fetchBatchSize
        resultType = template.resultType
        includesSubentities = template.includesSubentities
        includesPropertyValues = template.includesPropertyValues
        includesPendingChanges = template.includesPendingChanges
        returnsObjectsAsFaults = template.returnsObjectsAsFaults
        returnsDistinctResults = template.returnsDistinctResults
    }
}
