extension ModelArchiveReader {
    /// The bits of `NSFlagsKey`.
    enum AttributeFlags {
        static let allowsExternalBinaryDataStorage = 0x04
        static let preservesValueInHistoryOnDeletion = 0x10
    }

    mutating func attribute(_ object: KeyedArchiveObject, name: String) throws -> AttributeDescription? {
        guard let code = object.integer("NSAttributeType"), let type = AttributeType(rawValue: code) else {
            try omit("the attribute, of type \(object.integer("NSAttributeType") ?? 0)")
            return nil
        }
        let flags = object.integer("NSFlagsKey") ?? 0
        let isTransient = object.flag("NSIsTransient")
        let renamingIdentifier = try archive.string(of: object, "NSRenamingIdentifier")
        var attribute = AttributeDescription(
            name, type, isOptional: object.flag("NSIsOptional"), isTransient: isTransient,
            // Xcode leaves the flag in place when an attribute becomes transient.
            isIndexed: object.flag("NSIsIndexed") && !isTransient,
            defaultValue: type == .composite
                ? .null
                : try managedValue(archive.value(of: object, "NSDefaultValue"), of: type, subject: "its default value"),
            allowsExternalBinaryDataStorage: flags & AttributeFlags.allowsExternalBinaryDataStorage != 0,
            preservesValueInHistoryOnDeletion: flags & AttributeFlags.preservesValueInHistoryOnDeletion != 0,
            valueTransformerName: try archive.string(of: object, "NSValueTransformerName"),
            attributeValueClassName: type == .transformable
                ? try archive.string(of: object, "NSAttributeValueClassName") : nil,
            renamingIdentifier: renamingIdentifier == name ? nil : renamingIdentifier,
            versionHashModifier: try archive.string(of: object, "NSVersionHashModifier"),
            userInfo: try userInfo(of: object))
        if object.isKind(of: "NSDerivedAttributeDescription") {
            try addDerivation(of: object, to: &attribute)
            // As in model files: the value is computed.
            attribute.defaultValue = .null
        }
        if type == .composite {
            attribute.elements = try elements(of: object)
            try addDefaults(of: object, to: &attribute.elements)
        }
        try addBounds(of: object, to: &attribute)
        return attribute
    }

    /// Reads the derivation from the only expression that the object holds, whatever its key.
    private mutating func addDerivation(
        of object: KeyedArchiveObject, to attribute: inout AttributeDescription
    ) throws {
        attribute.derivationExpression = try archive.string(of: object, ModelArchiveKey.derivationFormat)
        for key in object.keys {
            let value = try archive.value(of: object, key)
            guard let part = value.object else { continue }
            if part.isKind(of: "NSPredicate") {
                try omit("the filter of its derivation: \(try format(ofPredicate: value) ?? part.className)")
                attribute.hasUnknownDerivation = true
            } else if part.isKind(of: "NSExpression"), attribute.derivationExpression == nil {
                attribute.derivationExpression = try format(ofExpression: value)
            }
        }
        guard attribute.derivationExpression == nil else { return }
        try omit("its derivation")
        attribute.hasUnknownDerivation = true
    }

    /// Reads the elements from the only array of attributes that the object holds, whatever its key.
    private mutating func elements(of object: KeyedArchiveObject) throws -> [AttributeDescription] {
        for key in object.keys {
            let parts = try archive.array(archive.value(of: object, key)) ?? []
            let objects = parts.compactMap(\.object).filter { $0.isKind(of: "NSAttributeDescription") }
            guard !objects.isEmpty else { continue }
            var elements: [AttributeDescription] = []
            for element in objects {
                guard element.integer("NSAttributeType") != AttributeType.composite.rawValue,
                    let name = try archive.string(of: element, "NSPropertyName"),
                    let attribute = try attribute(element, name: name)
                else {
                    try omit("an element that has no name or is itself composite")
                    continue
                }
                elements.append(attribute)
            }
            return elements
        }
        return []
    }

    mutating func relationship(_ object: KeyedArchiveObject, name: String) throws -> RelationshipDescription {
        let renamingIdentifier = try archive.string(of: object, "NSRenamingIdentifier")
        return RelationshipDescription(
            name,
            to: try self.name(
                of: object, "_NSDestinationEntityName", otherKey: "NSDestinationEntity", nameKey: "NSEntityName") ?? "",
            inverse: try self.name(
                of: object, "_NSInverseRelationshipName", otherKey: "NSInverseRelationship", nameKey: "NSPropertyName"),
            isOrdered: object.flag("NSIsOrdered"), isOptional: object.flag("NSIsOptional"),
            isTransient: object.flag("NSIsTransient"), isIndexed: object.flag("NSIsIndexed"),
            minCount: object.integer("NSMinCount") ?? 0, maxCount: object.integer("NSMaxCount") ?? 0,
            deleteRule: DeleteRule(rawValue: object.integer("NSDeleteRule") ?? 1) ?? .nullify,
            renamingIdentifier: renamingIdentifier == name ? nil : renamingIdentifier,
            versionHashModifier: try archive.string(of: object, "NSVersionHashModifier"),
            userInfo: try userInfo(of: object))
    }

    /// Returns a name in the object, or that of another object it refers to.
    private mutating func name(
        of object: KeyedArchiveObject, _ key: String, otherKey: String, nameKey: String
    ) throws -> String? {
        if let name = try archive.string(of: object, key) { return name }
        return try archive.value(of: object, otherKey).object.flatMap { try archive.string(of: $0, nameKey) }
    }

    mutating func fetchedProperty(
        _ object: KeyedArchiveObject, name: String
    ) throws -> FetchedPropertyDescription? {
        guard let request = try archive.value(of: object, "NSFetchRequest").object,
            let template = try fetchRequest(request, name: "fetchedPropertyFetchRequest")
        else {
            try omit("the fetched property: its fetch request has no entity, or its condition has no format string")
            return nil
        }
        return FetchedPropertyDescription(
            name, fetchRequest: template, isOptional: object.flag("NSIsOptional"), userInfo: try userInfo(of: object))
    }

    mutating func fetchRequest(_ object: KeyedArchiveObject, name: String) throws -> FetchRequestTemplate? {
        let entity = try archive.value(of: object, "NSEntity")
        let entityName = try entity.object.map { try archive.string(of: $0, "NSEntityName") } ?? archive.string(entity)
        guard let entityName = try entityName ?? archive.string(of: object, "NSEntityName") else { return nil }
        let predicate = try condition(of: object, "NSPredicate")
        guard predicate.isKnown else { return nil }
        return FetchRequestTemplate(
            try archive.string(of: object, ModelArchiveKey.name) ?? name, entityName: entityName,
            predicateFormat: predicate.format,
            fetchLimit: max(0, object.integer("NSFetchLimit") ?? 0),
            fetchBatchSize: max(0, object.integer("NSBatchSize") ?? 0),
            resultType: FetchRequestTemplate.ResultType(rawValue: object.integer("NSResultType") ?? 0)
                ?? .managedObjects,
            includesSubentities: !object.flag(ModelArchiveKey.excludesSubentities),
            includesPropertyValues: !object.flag(ModelArchiveKey.excludesPropertyValues),
            includesPendingChanges: !object.flag(ModelArchiveKey.excludesPendingChanges),
            returnsObjectsAsFaults: !object.flag(ModelArchiveKey.returnsFullObjects),
            returnsDistinctResults: object.flag(ModelArchiveKey.returnsDistinctResults))
    }

    // MARK: Indexes

    /// Returns the entity's indexes.
    ///
    /// Core Data creates an index named after each attribute that is marked as indexed, and lists indexes on several
    /// properties a second time in the form of old models. Both are left out here, since the mark and the list already
    /// contain them.
    mutating func indexes(
        of object: KeyedArchiveObject, _ properties: [PropertyDescription]
    ) throws -> [FetchIndexDescription] {
        guard let list = try archive.array(archive.value(of: object, "NSFetchIndexDescriptions")) else {
            return try compoundIndexes(of: object)
        }
        let marked = properties.compactMap { property in
            if case .attribute(let attribute) = property, attribute.isIndexed { attribute.name } else { nil }
        }
        let implied = Set(marked.map { FetchIndexDescription($0, on: [.init(.property($0))]) })
        var indexes: [FetchIndexDescription] = []
        for case let index? in list.map(\.object) {
            guard let name = try archive.string(of: index, "NSIndexName") else {
                try omit("an index without a name")
                continue
            }
            let description = try self.index(index, name: name)
            if let description, !implied.contains(description) { indexes.append(description) }
        }
        return indexes
    }

    private mutating func index(_ object: KeyedArchiveObject, name: String) throws -> FetchIndexDescription? {
        var elements: [FetchIndexElementDescription] = []
        for value in try archive.array(archive.value(of: object, "NSIndexElements")) ?? [] {
            guard let element = value.object, let subject = try subject(of: element) else {
                try omit("the index \(name): \(Self.kind(of: value))")
                return nil
            }
            elements.append(
                FetchIndexElementDescription(
                    subject,
                    collationType: .init(rawValue: element.integer("NSFetchIndexElementType") ?? 0) ?? .binary,
                    isAscending: element.flag("NSAscending")))
        }
        let predicate = try condition(of: object, "NSPartialIndexPredicate")
        guard predicate.isKnown else {
            try omit("the index \(name): its condition has no format string")
            return nil
        }
        return FetchIndexDescription(name, on: elements, partialIndexPredicateFormat: predicate.format)
    }

    /// Returns a condition as text. Without its condition, a fetch would find everything, so an object whose condition
    /// cannot be written as text is left out as a whole.
    private mutating func condition(
        of object: KeyedArchiveObject, _ key: String
    ) throws -> (format: String?, isKnown: Bool) {
        if let text = try archive.string(of: object, ModelArchiveKey.predicateFormat) { return (text, true) }
        let value = try archive.value(of: object, key)
        if case .null = value { return (nil, true) }
        let format = try format(ofPredicate: value)
        return (format, format != nil)
    }

    private mutating func subject(
        of element: KeyedArchiveObject
    ) throws -> FetchIndexElementDescription.Subject? {
        if let text = try archive.string(of: element, ModelArchiveKey.expressionFormat) { return .expression(text) }
        if let name = try archive.string(of: element, "NSPropertyName") { return .property(name) }
        for key in element.keys {
            let value = try archive.value(of: element, key)
            guard value.object?.isKind(of: "NSExpression") == true else { continue }
            return try format(ofExpression: value).map { .expression($0) }
        }
        return nil
    }

    /// Returns indexes in the form of old models. They have no names there; Core Data names them after their properties.
    private mutating func compoundIndexes(of object: KeyedArchiveObject) throws -> [FetchIndexDescription] {
        var indexes: [FetchIndexDescription] = []
        for value in try archive.array(archive.value(of: object, "NSCompoundIndexes")) ?? [] {
            let names = try (archive.array(value) ?? []).compactMap { try archive.string($0) }
            if !names.isEmpty { indexes.append(FetchIndexDescription(compoundOf: names)) }
        }
        return indexes
    }
}
