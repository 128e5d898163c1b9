extension ManagedObjectModel {
    /// Creates the model of some entity classes.
    ///
    /// Their superclasses and the destinations of their relationships are added automatically. Name a class explicitly if
    /// only objects of a sub-entity would reveal it.
    ///
    ///     let model = try ManagedObjectModel(classes: [Person.self, Monk.self])
    ///
    /// - Throws: ``ModelError`` with every problem: a class without an entity, a class named twice, and all problems that
    ///   ``init(entities:configurations:fetchRequestTemplates:versionIdentifiers:)`` finds.
    public convenience init(
        classes: [ManagedObject.Type], configurations: [String: [String]] = [:],
        fetchRequestTemplates: [FetchRequestTemplate] = [], versionIdentifiers: [String] = []
    ) throws(ModelError) {
        var collector = ClassCollector()
        for managedObjectClass in classes { collector.add(managedObjectClass) }
        if !collector.problems.isEmpty { throw ModelError(problems: collector.problems) }
        try self.init(
            entities: collector.declarations.map(collector.description), configurations: configurations,
            fetchRequestTemplates: fetchRequestTemplates, versionIdentifiers: versionIdentifiers)
    }
}

/// **Value.** Collects all the classes that a model needs, starting from some classes.
private struct ClassCollector {
    var declarations: [EntityDeclaration] = []
    var problems: [ModelError.Problem] = []
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(_ managedObjectClass: ManagedObject.Type) {
        guard seen.insert(ObjectIdentifier(managedObjectClass)).inserted else { return }
        guard let declaration = EntityDeclaration.own(managedObjectClass) else {
            problems.append(
                ModelError.Problem(
                    kind: .missingEntity, entityName: "\(managedObjectClass)",
                    message: "The class \(managedObjectClass) does not declare an entity. Add @Entity to it."))
            return
        }
        declarations.append(declaration)
        if let superclass = superentityClass(of: managedObjectClass) { add(superclass) }
        for property in declaration.properties {
            if case .relationship(_, let destination) = property.kind { add(destination) }
        }
    }

    /// Returns the nearest superclass with an entity.
    private func superentityClass(of managedObjectClass: ManagedObject.Type) -> ManagedObject.Type? {
        var next = _getSuperclass(managedObjectClass) as? ManagedObject.Type
        while let candidate = next, candidate != ManagedObject.self {
            if EntityDeclaration.own(candidate) != nil { return candidate }
            next = _getSuperclass(candidate) as? ManagedObject.Type
        }
        return nil
    }

    func description(of declaration: EntityDeclaration) -> EntityDescription {
        EntityDescription(
            declaration.name, managedObjectClass: declaration.managedObjectClass,
            managedObjectClassName: "\(declaration.managedObjectClass)",
            superentityName: superentityClass(of: declaration.managedObjectClass)?.entityDeclaration?.name,
            isAbstract: declaration.isAbstract,
            properties: declaration.properties.map(description),
            uniquenessConstraints: declaration.unique + declaration.properties.filter(\.isUnique).map { [$0.name] },
            indexes: declaration.indexes.enumerated().map { offset, keys in
                FetchIndexDescription(
                    "by" + keys.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(),
                    on: keys.map { FetchIndexElementDescription(.property($0)) })
            },
            renamingIdentifier: declaration.originalName, versionHashModifier: declaration.hashModifier,
            userInfo: declaration.userInfo)
    }

    private func description(of property: PropertyDeclaration) -> PropertyDescription {
        switch property.kind {
        case .attribute(let attribute): return .attribute(attribute)
        case .relationship(var relationship, let destination):
            // `add` has refused destinations without a declaration.
            relationship.destinationEntityName = destination.entityDeclaration?.name ?? "\(destination)"
            return .relationship(relationship)
        }
    }
}
