extension ModelValidator {
    /// The names that managed objects use themselves. A property with such a name would hide a member that the engine
    /// needs. Core Data refuses these names too.
    private static let reservedNames: Set<String> = [
        "anyObjectID", "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "committedValues",
        "debugDescription",
        "description", "didSave", "didTurnIntoFault", "entity", "entityDeclaration", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "hash", "init", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectContext", "objectID", "observationInfo", "prepareForDeletion", "self", "superclass",
        "validateForDelete", "validateForInsert", "validateForUpdate", "willSave", "willTurnIntoFault",
    ]
    private static let maximumNameLength = 255

    mutating func checkNames() {
        checkEntityNames()
        for entity in entities {
            if entity.properties.count > Self.maximumPropertyCount {
                report(
                    .tooMany, in: entity.name, property: nil,
                    message: """
                        It has \(entity.properties.count) properties, but the maximum is \(Self.maximumPropertyCount). \
                        Move some to another entity.
                        """)
            }
            checkPropertyNames(of: entity)
        }
    }

    private mutating func checkEntityNames() {
        var folded: [String: String] = [:]
        folded.reserveCapacity(entities.count)
        for entity in entities {
            checkSpelling(of: entity.name, as: "entity", in: entity.name, property: nil)
            guard let other = folded.updateValue(entity.name, forKey: entity.name.uppercased()) else { continue }
            if other == entity.name {
                report(
                    .duplicateName, in: entity.name, property: nil,
                    message: "Two entities have this name. Rename or remove one.")
            } else {
                report(
                    .caseCollision, in: entity.name, property: nil,
                    message: "It differs from the entity \(other) only in case, which stores ignore. Rename one.")
            }
        }
    }

    private mutating func checkPropertyNames(of entity: EntityDescription) {
        var folded: [String: String] = [:]
        folded.reserveCapacity(entity.properties.count)
        for property in entity.properties {
            let name = property.name
            checkSpelling(of: name, as: "property", in: entity.name, property: name)
            // Objects without a class have no property of that name that could be hidden.
            if Self.reservedNames.contains(name), !isStored || entity.managedObjectClass != nil {
                report(
                    .reservedName, in: entity.name, property: name,
                    message: "Managed objects use this name themselves. Choose another one.")
            }
            if case .attribute(let attribute) = property { checkElementNames(of: attribute, entity.name) }
            guard let other = folded.updateValue(name, forKey: name.uppercased()) else { continue }
            if other == name {
                report(
                    .duplicateName, in: entity.name, property: name,
                    message: "Two properties have this name. Rename or remove one.")
            } else {
                reportCaseCollision(in: entity.name, of: name, with: other)
            }
        }
    }

    private mutating func checkElementNames(of attribute: AttributeDescription, _ entityName: String) {
        var seen: Set<String> = []
        for element in attribute.elements {
            checkSpelling(of: element.name, as: "element", in: entityName, property: attribute.name)
            if !seen.insert(element.name.uppercased()).inserted {
                report(
                    .duplicateName, in: entityName, property: attribute.name,
                    message: "Two elements are named \(element.name). Rename one.")
            }
        }
    }

    mutating func reportCaseCollision(in entityName: String, of name: String, with other: String) {
        report(
            .caseCollision, in: entityName, property: name,
            message: "It differs from the property \(other) only in case, which stores ignore. Rename one.")
    }

    private mutating func checkSpelling(of name: String, as subject: String, in entity: String, property: String?) {
        if name.isEmpty {
            report(.illegalName, in: entity, property: property, message: "The \(subject) has no name. Give it one.")
        } else if name.utf8.count > Self.maximumNameLength {
            report(
                .illegalName, in: entity, property: property,
                message: "The name of the \(subject) is longer than \(Self.maximumNameLength) bytes. Shorten it.")
        } else if !Self.isIdentifier(name) {
            report(
                .illegalName, in: entity, property: property,
                message: """
                    "\(name)" is not a valid name for the \(subject). Use letters, digits and underscores, and do not \
                    begin with a digit.
                    """)
        }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        // Almost all names are ASCII; for others, a scalar's properties are looked up in tables.
        if name.utf8.allSatisfy(isASCIIWord) { return !("0"..."9").contains(first) }
        return (first == "_" || first.properties.isXIDStart)
            && name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }

    private static func isASCIIWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
