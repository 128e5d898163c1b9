package import Foundation

/// A model that Core Data has stored or compiled was good enough for it. So what this library finds wrong with it is left out
/// and noted. Most of it changes neither the stored form nor the version hashes:
///
///     default, bounds, regular expression, condition    removed from the attribute
///     index, fetch request, fetched property            removed
///     member of a configuration that is not an entity   removed
///     delete rule of a transient relationship           replaced by nullify
///
/// Two things do change them. The entity is marked as incomplete then, and has the version hash that stands beside the model;
/// stores of the model can be opened, and none can be made:
///
///     derivation of an unknown form                     the attribute is read-only, and kept by the triggers of the file
///     inverse that does not lead back                   the relationship has none
///
/// Everything else is an error, as in a model of one's own, but for the names that managed objects use themselves.
extension ArchivedModel {
    /// Returns the model, and the parts that were left out.
    ///
    /// - Parameters:
    ///   - classes: the classes of managed objects that the model's class names stand for.
    ///   - storedHashes: the version hashes that stand beside the model.
    /// - Throws: ``ModelError`` with every problem that cannot be left out.
    package func model(
        classes: [ManagedObject.Type] = [], storedHashes: [String: Data] = [:]
    ) throws(ModelError) -> (model: ManagedObjectModel, omissions: [Omission]) {
        var contents = contents
        contents.assignClasses(from: classes)
        let unread = contents.entities.filter { $0.attributes.contains(where: \.hasUnknownDerivation) }
        contents.incompleteEntities.formUnion(unread.map(\.name))
        var omissions = omissions
        let places = Dictionary(
            contents.entities.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        // Checks build on each other: what is left out in one round may bring up the next.
        while true {
            do {
                let model = try ManagedObjectModel(contents, storedHashes: storedHashes)
                for entity in model.entities { _ = try Derivation.all(of: entity) }
                return (model, omissions)
            } catch {
                // Several problems of one part go with it.
                let solved = error.problems.filter { contents.leaveOut($0, in: $0.entityName.flatMap { places[$0] }) }
                if solved.isEmpty { throw error }
                omissions += solved.map {
                    Omission(entityName: $0.entityName, propertyName: $0.propertyName, subject: $0.message)
                }
            }
        }
    }
}

extension ModelContents {
    /// Leaves out the part that causes a problem.
    ///
    /// - Parameter entity: The place of the entity concerned.
    /// - Returns: Whether anything was; if not, the problem stays, or went with another one.
    fileprivate mutating func leaveOut(_ problem: ModelError.Problem, in entity: Int?) -> Bool {
        switch problem.kind {
        case .invalidDefault: changeAttribute(of: problem, in: entity) { $0.defaultValue = .null }
        case .invalidBounds:
            changeAttribute(of: problem, in: entity) { attribute in
                attribute.minimum = .null
                attribute.maximum = .null
            }
        case .invalidRegularExpression: changeAttribute(of: problem, in: entity) { $0.regularExpression = nil }
        case .invalidValidationPredicate: changeAttribute(of: problem, in: entity) { $0.validationPredicates = [] }
        case .invalidDerivation: leaveOutDerivation(of: problem, in: entity)
        case .unknownInverse, .inverseOnWrongSide, .inverseMismatch: leaveOutInverse(of: problem, in: entity)
        case .invalidDeleteRule:
            change(of: problem, in: entity) { property in
                guard case .relationship(var relationship) = property, relationship.isTransient else { return }
                relationship.deleteRule = .nullify
                property = .relationship(relationship)
            }
        case .invalidIndex: leaveOutIndex(of: problem, in: entity)
        case .illegalName, .duplicateName: leaveOutNamed(of: problem, in: entity)
        case .unknownConfigurationMember: leaveOutMembers()
        case .unknownFetchEntity, .invalidCount: leaveOutFetch(of: problem, in: entity)
        default: false
        }
    }

    private mutating func changeAttribute(
        of problem: ModelError.Problem, in entity: Int?, by change: (inout AttributeDescription) -> Void
    ) -> Bool {
        self.change(of: problem, in: entity) { property in
            guard case .attribute(var attribute) = property else { return }
            let names = [attribute.name] + attribute.elements.flatMap { [$0.name, "\(attribute.name).\($0.name)"] }
            guard let place = names.firstIndex(of: problem.propertyName ?? "") else { return }
            // Problems of an element are told under its name, with the attribute's before it or without.
            if place == 0 { change(&attribute) } else { change(&attribute.elements[(place - 1) / 2]) }
            property = .attribute(attribute)
        }
    }

    /// - Returns: Whether a property is another than before.
    private mutating func change(
        of problem: ModelError.Problem, in entity: Int?, by change: (inout PropertyDescription) -> Void
    ) -> Bool {
        guard let entity else { return false }
        var isChanged = false
        for place in entities[entity].properties.indices
        where entities[entity].properties[place].isNamed(problem.propertyName) {
            let before = entities[entity].properties[place]
            change(&entities[entity].properties[place])
            isChanged = isChanged || entities[entity].properties[place] != before
        }
        return isChanged
    }

    private mutating func leaveOutDerivation(of problem: ModelError.Problem, in entity: Int?) -> Bool {
        if changeAttribute(of: problem, in: entity, by: { $0.defaultValue = .null }) { return true }
        guard changeAttribute(of: problem, in: entity, by: { $0.hasUnknownDerivation = true }) else { return false }
        problem.entityName.map { _ = incompleteEntities.insert($0) }
        return true
    }

    private mutating func leaveOutInverse(of problem: ModelError.Problem, in entity: Int?) -> Bool {
        let isChanged = change(of: problem, in: entity) { property in
            guard case .relationship(var relationship) = property else { return }
            relationship.inverseName = nil
            property = .relationship(relationship)
        }
        if isChanged { problem.entityName.map { _ = incompleteEntities.insert($0) } }
        return isChanged
    }

    private mutating func leaveOutIndex(of problem: ModelError.Problem, in entity: Int?) -> Bool {
        guard let entity else { return false }
        let count = entities[entity].indexes.count
        entities[entity].indexes.removeAll { $0.name == problem.propertyName }
        return entities[entity].indexes.count < count
    }

    /// An index or a fetch request without a name of its own. Entities and properties have to have one.
    private mutating func leaveOutNamed(of problem: ModelError.Problem, in entity: Int?) -> Bool {
        guard problem.entityName != nil else {
            let count = fetchRequestTemplates.count
            fetchRequestTemplates.removeAll { $0.name == (problem.propertyName ?? "") }
            return fetchRequestTemplates.count < count
        }
        guard let entity,
            !entities[entity].properties.contains(where: { $0.name == problem.propertyName }),
            // Of two that differ in case alone the later one goes.
            let place = entities[entity].indexes.lastIndex(where: { $0.name == problem.propertyName })
        else { return false }
        entities[entity].indexes.remove(at: place)
        return true
    }

    private mutating func leaveOutMembers() -> Bool {
        let names = Set(entities.map(\.name))
        let known = configurations.mapValues { $0.filter(names.contains) }
        defer { configurations = known }
        return known != configurations
    }

    private mutating func leaveOutFetch(of problem: ModelError.Problem, in entity: Int?) -> Bool {
        guard problem.entityName != nil else {
            let count = fetchRequestTemplates.count
            fetchRequestTemplates.removeAll { $0.name == problem.propertyName }
            return fetchRequestTemplates.count < count
        }
        guard let entity else { return false }
        let count = entities[entity].properties.count
        entities[entity].properties.removeAll { property in
            if case .fetched = property { property.name == problem.propertyName } else { false }
        }
        return entities[entity].properties.count < count
    }
}

extension PropertyDescription {
    /// Returns whether a problem reported under a name may be the property's, or that of an element of it.
    fileprivate func isNamed(_ name: String?) -> Bool {
        if self.name == name { return true }
        if case .attribute(let attribute) = self { return !attribute.elements.isEmpty }
        return false
    }
}
