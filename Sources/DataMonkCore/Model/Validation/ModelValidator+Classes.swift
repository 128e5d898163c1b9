extension ModelValidator {
    /// Checks that classes and entities correspond one to one, and that classes inherit as their entities do: a class's
    /// code reads rows of its entity and of every sub-entity by position.
    mutating func checkClasses() {
        var owners: [ObjectIdentifier: Int] = [:]
        for position in entities.indices {
            guard let type = entities[position].managedObjectClass, type != ManagedObject.self else { continue }
            guard let owner = owners[ObjectIdentifier(type)] else {
                owners[ObjectIdentifier(type)] = position
                continue
            }
            report(
                .duplicateClass, in: entities[position].name, property: nil,
                message: """
                    Its class \(type) is already used by the entity \(entities[owner].name). Give each entity a class of \
                    its own.
                    """)
        }
        for position in entities.indices {
            guard let type = entities[position].managedObjectClass, owners[ObjectIdentifier(type)] == position else {
                continue
            }
            let expected = ancestors[position].first { entities[$0].managedObjectClass != nil }
            let actual = nearestEntity(above: type, owners)
            guard expected != actual else { continue }
            let inherited = actual.map { entities[$0].name } ?? "no entity"
            report(
                .classMismatch, in: entities[position].name, property: nil,
                message: """
                    Its class \(type) inherits from the class of \(inherited), but the entity from \
                    \(expected.map { entities[$0].name } ?? "none"). Use the same inheritance for classes and entities.
                    """)
        }
    }

    private func nearestEntity(above type: ManagedObject.Type, _ owners: [ObjectIdentifier: Int]) -> Int? {
        var next: AnyClass? = _getSuperclass(type)
        while let candidate = next {
            if let owner = owners[ObjectIdentifier(candidate)] { return owner }
            next = _getSuperclass(candidate)
        }
        return nil
    }
}

extension ModelValidator {
    /// Checks that a class and its entity have the same properties. The class's code accesses them by their slots, which
    /// the class's declaration determines.
    ///
    /// An entity may have additional properties after those of its class, which are accessible by key. A class with
    /// subclasses may not omit any, because the subclasses continue counting where it ends.
    mutating func checkDeclarations() {
        let classes = Dictionary(grouping: entities.compactMap(\.managedObjectClass), by: ObjectIdentifier.init)
        for position in entities.indices {
            guard let declaration = entities[position].classDeclaration,
                classes[ObjectIdentifier(declaration.managedObjectClass)]?.count == 1
            else { continue }
            let entity = entities[position].name
            let own = Dictionary(
                entities[position].properties.filter { !$0.isFetched }.map { ($0.name, $0) },
                uniquingKeysWith: { first, _ in first })
            for declared in declaration.properties {
                guard let property = own[declared.name] else {
                    let hint = suggestion(for: declared.name, among: own.keys)
                    report(
                        .propertyMismatch, in: entity, property: declared.name,
                        message: """
                            Its class \(declaration.managedObjectClass) declares it, but the entity does not.\(hint) Add \
                            it to the entity or remove it from the class.
                            """)
                    continue
                }
                if let problem = mismatch(of: declared, with: property) {
                    report(.propertyMismatch, in: entity, property: declared.name, message: problem)
                }
            }
            checkPlaces(ofEntityAt: position, declaration)
        }
    }

    /// Checks that the slots that the class counts are the entity's.
    private mutating func checkPlaces(ofEntityAt position: Int, _ declaration: EntityDeclaration) {
        for place in ancestors[position] where entities[place].classDeclaration == nil {
            if entities[place].properties.allSatisfy(\.isFetched) { continue }
            report(
                .propertyMismatch, in: entities[position].name, property: nil,
                message:
                    "It has the class \(declaration.managedObjectClass), but its superentity \(entities[place].name) has "
                    + "properties and no class with @Entity. Give the superentity such a class, and inherit from it.")
        }
        let isInherited = entities.indices.contains {
            ancestors[$0].contains(position) && entities[$0].classDeclaration?.properties.isEmpty == false
        }
        guard isInherited else { return }
        let declared = Set(declaration.properties.map(\.name))
        let inherited = Set(ancestors[position].flatMap { entities[$0].properties.map(\.name) })
        for property in entities[position].properties where !property.isFetched {
            if declared.contains(property.name) || inherited.contains(property.name) { continue }
            report(
                .propertyMismatch, in: entities[position].name, property: property.name,
                message: """
                    Its class \(declaration.managedObjectClass) does not declare it, but has subclasses, whose properties \
                    are numbered after those of the class. Declare it in the class.
                    """)
        }
    }

    /// Returns a description of the difference between a property in a class and in an entity, with the remedy, or `nil` if
    /// there is none.
    private func mismatch(of declared: PropertyDeclaration, with property: PropertyDescription) -> String? {
        switch (declared.kind, property) {
        case (.attribute(let declared), .attribute(let attribute)):
            return mismatch(of: declared, with: attribute)
        case (.relationship(let declared, let destination), .relationship(let relationship)):
            return mismatch(of: declared, to: destination, with: relationship)
        case (.attribute, _):
            return "It is an attribute in the class, but a relationship in the entity. Use the same kind in both."
        case (.relationship, _):
            return "It is a relationship in the class, but an attribute in the entity. Use the same kind in both."
        }
    }

    private func mismatch(of declared: AttributeDescription, with attribute: AttributeDescription) -> String? {
        let areBytes = declared.type == .binary && attribute.type == .transformable
        if declared.type != attribute.type, !areBytes {
            return """
                It is \(declared.type.article) in the class, but \(attribute.type.article) in the entity. Use the \
                same type in both.
                """
        }
        if declared.isCodable != attribute.isCodable {
            return """
                It is codable in the class or in the entity, but not in both. Mark it @Attribute(.codable) in the class, and \
                add the user info \(AttributeDescription.codableKey) = JSON to the attribute in the model.
                """
        }
        if declared.isTransient != attribute.isTransient {
            return "It is transient in the class or in the entity, but not in both. Make both the same."
        }
        // A scalar represents `nil` by zero, as in the classes that Xcode generates.
        let mayBeScalar = attribute.usesScalarValueType || attribute.isDerived
        if !declared.isOptional, attribute.isOptional, !mayBeScalar {
            return """
                It is optional in the entity, but not in the class. Make its type optional in the class, or make the \
                attribute required.
                """
        }
        return nil
    }

    private func mismatch(
        of declared: RelationshipDescription, to destination: ManagedObject.Type,
        with relationship: RelationshipDescription
    ) -> String? {
        if declared.isToMany != relationship.isToMany {
            return """
                It leads to \(relationship.isToMany ? "many objects" : "one object") in the entity, but to \
                \(declared.isToMany ? "many" : "one") in the class. Make both the same.
                """
        }
        if relationship.isToMany, declared.isOrdered != relationship.isOrdered {
            return relationship.isOrdered
                ? "It is ordered. Make its type an array in the class."
                : "It is not ordered. Make its type a Set in the class."
        }
        if declared.isTransient != relationship.isTransient {
            return "It is transient in the class or in the entity, but not in both. Make both the same."
        }
        guard let place = positions[relationship.destinationEntityName] else { return nil }
        var next: AnyClass? = entities[place].managedObjectClass ?? ManagedObject.self
        while let candidate = next, candidate != destination { next = _getSuperclass(candidate) }
        if next != nil { return nil }
        return """
            It leads to \(relationship.destinationEntityName), whose objects are not instances of \(destination). \
            Pass that class to the model, or use another type for the property.
            """
    }
}
