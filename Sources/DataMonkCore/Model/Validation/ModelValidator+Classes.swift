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
                .duplicateClass, entities[position].name, nil,
                """
                Its class \(type) already stands for the entity \(entities[owner].name). Give each entity a class of its \
                own.
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
                .classMismatch, entities[position].name, nil,
                """
                Its class \(type) inherits from the class of \(inherited), the entity from \
                \(expected.map { entities[$0].name } ?? "none"). Make classes and entities inherit alike.
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
                        .propertyMismatch, entity, declared.name,
                        "Its class \(declaration.managedObjectClass) declares it, the entity does not.\(hint) Add it to one "
                            + "or remove it from the other.")
                    continue
                }
                if let problem = mismatch(of: declared, with: property) {
                    report(.propertyMismatch, entity, declared.name, problem)
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
                .propertyMismatch, entities[position].name, nil,
                "It has the class \(declaration.managedObjectClass), and its superentity \(entities[place].name) has "
                    + "properties and no class with @Entity. Give that one a class to inherit from.")
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
                .propertyMismatch, entities[position].name, property.name,
                "Its class \(declaration.managedObjectClass) does not declare it, and has subclasses, which count on from "
                    + "its last property. Declare it in the class.")
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
            return "The class has an attribute, the entity a relationship. Make both one kind."
        case (.relationship, _):
            return "The class has a relationship, the entity an attribute. Make both one kind."
        }
    }

    private func mismatch(of declared: AttributeDescription, with attribute: AttributeDescription) -> String? {
        let areBytes = declared.type == .binary && attribute.type == .transformable
        if declared.type != attribute.type, !areBytes {
            return """
                The class takes it for \(declared.type.article), the entity for \(attribute.type.article). Make both one \
                type.
                """
        }
        if declared.isTransient != attribute.isTransient {
            return "Only one of class and entity says that it is transient. Make both alike."
        }
        // A scalar represents `nil` by zero, as in the classes that Xcode generates.
        let mayBeScalar = attribute.usesScalarValueType || attribute.isDerived
        if !declared.isOptional, attribute.isOptional, !mayBeScalar {
            return """
                It may be empty in the store, and the class cannot say so. Make its type optional in the class, or the \
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
                It leads to \(relationship.isToMany ? "many objects" : "one object"), and the class says \
                \(declared.isToMany ? "many" : "one"). Make both alike.
                """
        }
        if relationship.isToMany, declared.isOrdered != relationship.isOrdered {
            return relationship.isOrdered
                ? "It is ordered: make its type an array in the class."
                : "It is not ordered: make its type a Set in the class."
        }
        if declared.isTransient != relationship.isTransient {
            return "Only one of class and entity says that it is transient. Make both alike."
        }
        guard let place = positions[relationship.destinationEntityName] else { return nil }
        var next: AnyClass? = entities[place].managedObjectClass ?? ManagedObject.self
        while let candidate = next, candidate != destination { next = _getSuperclass(candidate) }
        if next != nil { return nil }
        return """
            It leads to \(relationship.destinationEntityName), whose objects are no \(destination). Name that class among \
            the model's, or take another one for the property.
            """
    }
}
