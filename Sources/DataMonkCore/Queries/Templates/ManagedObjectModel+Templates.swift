extension ManagedObjectModel {
    /// Returns the template with a name.
    ///
    /// - Throws: ``FetchError`` with the code `unknownTemplate` and the nearest name.
    public func fetchRequestTemplate(named name: String) throws(FetchError) -> FetchRequestTemplate {
        if let template = fetchRequestTemplates[name] { return template }
        throw .unknownTemplate(name, in: self)
    }

    /// Creates a request from a template, with values for the variables of its condition.
    ///
    ///     // In the model: "olderThan", Person, "age > $AGE"
    ///     var request = try model.fetchRequest(fromTemplate: "olderThan", substituting: ["AGE": 30])
    ///     request.sortTerms = [SortTerm("name")]
    ///
    /// Templates have no order: set `sortTerms` on the request.
    ///
    /// - Throws: ``FetchError``, naming the template: `unknownTemplate`; `invalidFormat` if its condition cannot be read;
    ///   `missingVariable` and `unknownVariable`; and the errors that a fetch throws for an unknown key or a value of the
    ///   wrong type.
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
            // Errors are found here, where the template's name is known.
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
    /// Returns the condition, or `nil` for all objects. Its variables have no values yet.
    func condition() throws(FetchError) -> Condition? {
        guard let predicateFormat else { return nil }
        return try Condition(format: predicateFormat)
    }
}

extension FetchRequest {
    /// Creates a request from a template, without its condition.
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
