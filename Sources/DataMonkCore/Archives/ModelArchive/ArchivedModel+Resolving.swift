/// A model that Core Data has stored or compiled was good enough for it. So what this library finds wrong with it is left out
/// and noted, as long as neither the stored form nor the version hashes change:
///
///     default, bounds, regular expression, condition    the attribute is without
///     index, fetch request, fetched property            is not there
///     member of a configuration that is no entity       is not there
///     delete rule of a transient relationship           nullify
///
/// Everything else is an error, as in a model of one's own.
extension ArchivedModel {
    /// The model, and what was left out of it.
    ///
    /// - Parameter classes: the classes of managed objects that the model's class names stand for.
    /// - Throws: ``ModelError`` with every problem that cannot be left out.
    package func model(
        classes: [ManagedObject.Type] = []
    ) throws(ModelError) -> (model: ManagedObjectModel, omissions: [Omission]) {
        var contents = contents
        contents.assignClasses(from: classes)
        var omissions = omissions
        // Checks build on each other: what is left out in one round may bring up the next.
        while true {
            do {
                return (try ManagedObjectModel(contents), omissions)
            } catch {
                guard !error.problems.isEmpty else { throw error }
                for problem in error.problems {
                    guard contents.leaveOut(problem) else { throw error }
                    omissions.append(
                        Omission(
                            entityName: problem.entityName, propertyName: problem.propertyName, subject: problem.message
                        ))
                }
            }
        }
    }
}

extension ModelContents {
    /// Leaves out what a problem is about.
    ///
    /// - Returns: Whether anything was; if not, the problem stays.
    fileprivate mutating func leaveOut(_ problem: ModelError.Problem) -> Bool {
        let before = self
        switch problem.kind {
        case .invalidDefault: changeAttribute(problem) { $0.defaultValue = .null }
        case .invalidBounds:
            changeAttribute(problem) { attribute in
                attribute.minimum = .null
                attribute.maximum = .null
            }
        case .invalidRegularExpression: changeAttribute(problem) { $0.regularExpression = nil }
        case .invalidValidationPredicate: changeAttribute(problem) { $0.validationPredicates = [] }
        case .invalidDeleteRule:
            change(problem) { property in
                guard case .relationship(var relationship) = property, relationship.isTransient else { return }
                relationship.deleteRule = .nullify
                property = .relationship(relationship)
            }
        case .invalidIndex: leaveOutIndex(problem)
        case .illegalName, .duplicateName: leaveOutNamed(problem)
        case .unknownConfigurationMember: leaveOutMembers()
        case .unknownFetchEntity, .invalidCount: leaveOutFetch(problem)
        default: break
        }
        return self != before
    }

    private mutating func changeAttribute(
        _ problem: ModelError.Problem, _ change: (inout AttributeDescription) -> Void
    ) {
        self.change(problem) { property in
            guard case .attribute(var attribute) = property else { return }
            change(&attribute)
            property = .attribute(attribute)
        }
    }

    private mutating func change(_ problem: ModelError.Problem, _ change: (inout PropertyDescription) -> Void) {
        for entity in entities.indices where entities[entity].name == problem.entityName {
            for property in entities[entity].properties.indices
            where entities[entity].properties[property].name == problem.propertyName {
                change(&entities[entity].properties[property])
            }
        }
    }

    private mutating func leaveOutIndex(_ problem: ModelError.Problem) {
        for entity in entities.indices where entities[entity].name == problem.entityName {
            entities[entity].indexes.removeAll { $0.name == problem.propertyName }
        }
    }

    /// An index or a fetch request without a name of its own. Entities and properties have to have one.
    private mutating func leaveOutNamed(_ problem: ModelError.Problem) {
        guard let entityName = problem.entityName else {
            return fetchRequestTemplates.removeAll { $0.name == (problem.propertyName ?? "") }
        }
        for entity in entities.indices where entities[entity].name == entityName {
            if entities[entity].properties.contains(where: { $0.name == problem.propertyName }) { return }
            // Of two that differ in case alone the later one goes.
            let place = entities[entity].indexes.lastIndex { $0.name == problem.propertyName }
            if let place { entities[entity].indexes.remove(at: place) }
        }
    }

    private mutating func leaveOutMembers() {
        let names = Set(entities.map(\.name))
        configurations = configurations.mapValues { $0.filter(names.contains) }
    }

    private mutating func leaveOutFetch(_ problem: ModelError.Problem) {
        guard problem.entityName != nil else {
            return fetchRequestTemplates.removeAll { $0.name == problem.propertyName }
        }
        for entity in entities.indices where entities[entity].name == problem.entityName {
            entities[entity].properties.removeAll { property in
                if case .fetched = property { property.name == problem.propertyName } else { false }
            }
        }
    }
}
