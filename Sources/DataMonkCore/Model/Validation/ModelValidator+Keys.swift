extension ModelValidator {
    mutating func checkUniquenessConstraints() {
        for position in entities.indices {
            let entity = entities[position]
            for constraint in entity.uniquenessConstraints {
                let label = constraint.joined(separator: ",")
                if constraint.isEmpty {
                    report(
                        .invalidUniqueness, in: entity.name, property: nil,
                        message: "A uniqueness constraint has no properties. Add one.")
                }
                if Set(constraint).count < constraint.count {
                    report(
                        .invalidUniqueness, in: entity.name, property: label,
                        message: "A property occurs twice. Remove one.")
                }
                for key in constraint {
                    guard
                        let fault = fault(of: key, asKeyOfEntityAt: position)
                            ?? externalFault(of: key, inEntityAt: position)
                    else { continue }
                    report(
                        .invalidUniqueness, in: entity.name, property: label,
                        message: "\(key) cannot be part of a uniqueness constraint: \(fault)")
                }
            }
            if Set(entity.uniquenessConstraints).count < entity.uniquenessConstraints.count {
                report(
                    .invalidUniqueness, in: entity.name, property: nil,
                    message: "A uniqueness constraint occurs twice. Remove one.")
            }
        }
    }

    mutating func checkIndexes() {
        for position in entities.indices {
            let entity = entities[position]
            var folded: Set<String> = []
            for index in entity.indexes {
                if index.name.isEmpty || index.name.contains("\0") {
                    report(
                        .illegalName, in: entity.name, property: index.name,
                        message: "The index has no valid name. Give it one.")
                }
                if !folded.insert(index.name.uppercased()).inserted {
                    report(
                        .duplicateName, in: entity.name, property: index.name,
                        message: "Two indexes have this name, ignoring case. Rename one.")
                }
                if index.elements.isEmpty {
                    report(
                        .invalidIndex, in: entity.name, property: index.name,
                        message: "The index has no properties. Add one.")
                }
                let keys = index.elements.compactMap(\.propertyName)
                let isDeclared = entity.classDeclaration?.indexes.contains(keys) == true
                for key in keys {
                    // Core Data accepts an index on a to-many, but creates none. In a class it is a mistake.
                    if !isDeclared, isToMany(key, ofEntityAt: position) { continue }
                    guard let fault = fault(of: key, asKeyOfEntityAt: position) else { continue }
                    report(
                        .invalidIndex, in: entity.name, property: index.name,
                        message: "It cannot contain \(key): \(fault)")
                }
            }
        }
    }

    private func isToMany(_ key: String, ofEntityAt position: Int) -> Bool {
        guard case .relationship(let relationship) = property(named: key, ofEntityAt: position) else { return false }
        return relationship.isToMany && !relationship.isTransient
    }

    /// Returns the reason why a property has no single value in a column, with the remedy, or `nil` if it has one.
    private mutating func fault(of key: String, asKeyOfEntityAt position: Int) -> String? {
        let entity = entities[position].name
        switch property(named: key, ofEntityAt: position) {
        case nil:
            let hint = suggestion(for: key, among: propertyNames(ofEntityAt: position))
            return "\(entity) has no such property.\(hint) Use one of its attributes or to-one relationships."
        case .attribute(let attribute):
            if attribute.isTransient {
                return "it is transient, so it is not stored. Use a stored attribute."
            }
            if attribute.type == .composite { return "it is composite. Use a plain attribute." }
            return nil
        case .relationship(let relationship):
            if relationship.isTransient { return "it is transient, so it is not stored. Use a stored one." }
            if relationship.isToMany {
                return "it is a to-many relationship. Use an attribute or a to-one relationship."
            }
            return nil
        case .fetched:
            return "it is a fetched property, so it is not stored. Use a stored attribute."
        }
    }

    /// Returns the reason why the values of an attribute cannot be unique although they are stored, with the remedy, or `nil`
    /// if they can. Core Data accepts such a constraint, so a model of its own keeps it.
    private func externalFault(of key: String, inEntityAt position: Int) -> String? {
        guard !isStored, case .attribute(let attribute) = property(named: key, ofEntityAt: position),
            attribute.allowsExternalBinaryDataStorage
        else { return nil }
        return """
            large values lie in external files, and two files are never compared. Remove the option externalStorage, or use \
            an attribute that identifies the data.
            """
    }

    mutating func checkConfigurations(_ configurations: [String: [String]]) {
        for (name, members) in configurations.sorted(by: { String.precedesInBytes($0.key, $1.key) }) {
            if name.isEmpty {
                report(.illegalName, in: nil, property: nil, message: "A configuration has no name. Give it one.")
            } else if name == ManagedObjectModel.defaultConfigurationName {
                report(
                    .reservedName, in: nil, property: name,
                    message: "The default configuration already contains every entity. Rename this configuration.")
            }
            for member in members where positions[member] == nil {
                let hint = suggestion(for: member, among: positions.keys)
                report(
                    .unknownConfigurationMember, in: nil, property: name,
                    message: """
                        The configuration contains an entity \(member), but the model does not.\(hint) Remove it from the \
                        configuration, or add it to the model.
                        """)
            }
        }
    }

    mutating func checkFetchRequests(_ templates: [FetchRequestTemplate]) {
        var seen: Set<String> = []
        for template in templates {
            if template.name.isEmpty {
                report(.illegalName, in: nil, property: nil, message: "A fetch request has no name. Give it one.")
            }
            if !seen.insert(template.name).inserted {
                report(
                    .duplicateName, in: nil, property: template.name,
                    message: "Two fetch requests have this name. Rename one.")
            }
            checkFetchRequest(template, in: nil, named: template.name)
        }
        for entity in entities {
            for property in entity.fetchedProperties {
                checkFetchRequest(property.fetchRequest, in: entity.name, named: property.name)
            }
        }
    }

    private mutating func checkFetchRequest(_ request: FetchRequestTemplate, in entity: String?, named name: String) {
        if request.fetchLimit < 0 || request.fetchBatchSize < 0 {
            report(
                .invalidCount, in: entity, property: name,
                message: "A fetch limit or batch size is negative. Use 0 for none.")
        }
        guard positions[request.entityName] == nil else { return }
        let hint = suggestion(for: request.entityName, among: positions.keys)
        report(
            .unknownFetchEntity, in: entity, property: name,
            message: "It fetches \(request.entityName), which does not exist.\(hint) Use an entity of the model.")
    }
}
