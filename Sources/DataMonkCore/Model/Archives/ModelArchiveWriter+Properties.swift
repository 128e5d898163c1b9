import Foundation

extension ModelArchiveWriter {
    /// The bits of `_P`: the kind of a property, and the keys it lacks.
    private enum PropertyFlags {
        static let always: Int64 = 0x01
        static let isOptional: Int64 = 0x02
        static let isTransient: Int64 = 0x08
        static let isReadOnly: Int64 = 0x04
        /// Neither validation predicates nor warnings.
        static let hasNoValidation: Int64 = 0x30
        static let hasNoUserInfo: Int64 = 0x40
        static let hasNoVersionHashModifier: Int64 = 0x80
        static let isOrdered: Int64 = 0x400
    }

    mutating func write(_ property: Entity.Property, of entity: Entity) {
        guard let reference = propertyReferences[PropertyPlace(entity: entity.index, name: property.name)] else {
            return
        }
        switch property {
        case .attribute(let attribute):
            var fields = attributeFields(of: attribute.description)
            fields["NSEntity"] = uid(of: entity)
            archive.fill(reference, classes: Self.classes(of: attribute.description), fields: fields)
        case .relationship(let relationship):
            var fields = relationshipFields(of: relationship)
            fields["NSEntity"] = uid(of: entity)
            archive.fill(reference, classes: ["NSRelationshipDescription", "NSPropertyDescription"], fields: fields)
        }
    }

    mutating func write(_ property: FetchedPropertyDescription, of entity: Entity) {
        guard let reference = propertyReferences[PropertyPlace(entity: entity.index, name: property.name)] else {
            return
        }
        var fields = fields(
            property.name, isOptional: property.isOptional, isTransient: false, renamingIdentifier: nil,
            versionHashModifier: nil, userInfo: property.userInfo,
            flags: PropertyFlags.isReadOnly | PropertyFlags.isTransient)
        fields["NSIsReadOnly"] = .bool(true)
        fields["NSIsTransient"] = .bool(true)
        fields["_NSFetchRequestEntityName"] = archive.add(.string(property.fetchRequest.entityName))
        fields["NSEntity"] = uid(of: entity)
        fields["NSFetchRequest"] = fetchRequest(property.fetchRequest)
        archive.fill(reference, classes: ["NSFetchedPropertyDescription", "NSPropertyDescription"], fields: fields)
    }

    /// Returns the fields that every kind of property has.
    private mutating func fields(
        _ name: String, isOptional: Bool, isTransient: Bool, renamingIdentifier: String?, versionHashModifier: String?,
        userInfo: [String: String], flags: Int64 = 0,
        validation: [(predicate: PropertyListValue, warning: String)] = []
    ) -> [String: PropertyListValue] {
        var fields: [String: PropertyListValue] = [
            "NSPropertyName": archive.add(.string(name)),
            "NSRenamingIdentifier": archive.add(.string(renamingIdentifier ?? name)),
        ]
        var flags = flags | PropertyFlags.always
        if isOptional {
            fields["NSIsOptional"] = .bool(true)
            flags |= PropertyFlags.isOptional
        }
        if isTransient {
            fields["NSIsTransient"] = .bool(true)
            flags |= PropertyFlags.isTransient
        }
        if userInfo.isEmpty {
            flags |= PropertyFlags.hasNoUserInfo
        } else {
            fields["NSUserInfo"] = self.userInfo(userInfo)
        }
        if validation.isEmpty {
            flags |= PropertyFlags.hasNoValidation
        } else {
            fields["NSValidationPredicates"] = archive.add(elements: validation.map(\.predicate))
            fields["NSValidationWarnings"] = archive.add(
                elements: validation.map { archive.add(.string($0.warning)) })
        }
        if let versionHashModifier {
            fields["NSVersionHashModifier"] = archive.add(.string(versionHashModifier))
        } else {
            flags |= PropertyFlags.hasNoVersionHashModifier
        }
        fields["_P"] = .integer(flags)
        return fields
    }

    // MARK: Attributes

    private static func classes(of attribute: AttributeDescription) -> [String] {
        let plain = ["NSAttributeDescription", "NSPropertyDescription"]
        if attribute.isDerived { return ["NSDerivedAttributeDescription"] + plain }
        return attribute.type == .composite ? ["NSCompositeAttributeDescription"] + plain : plain
    }

    private mutating func attributeFields(of attribute: AttributeDescription) -> [String: PropertyListValue] {
        var fields = fields(
            attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
            renamingIdentifier: attribute.renamingIdentifier, versionHashModifier: attribute.versionHashModifier,
            userInfo: attribute.userInfo, flags: attribute.isDerived ? PropertyFlags.isReadOnly : 0,
            validation: validationPredicates(of: attribute))
        var flags = 0
        if attribute.allowsExternalBinaryDataStorage {
            flags |= ModelArchiveReader.AttributeFlags.allowsExternalBinaryDataStorage
        }
        if attribute.preservesValueInHistoryOnDeletion {
            flags |= ModelArchiveReader.AttributeFlags.preservesValueInHistoryOnDeletion
        }
        fields["NSFlagsKey"] = .integer(Int64(flags))
        fields["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
        fields["NSAttributeValueClassName"] = archive.add(Self.valueClassName(of: attribute))
        fields["NSValueTransformerName"] = archive.add(attribute.valueTransformerName)
        fields["NSDefaultValue"] = value(attribute.defaultValue, of: attribute.type)
        if attribute.isIndexed { fields["NSIsIndexed"] = .bool(true) }
        if let derivation = attribute.derivationExpression {
            fields["NSIsReadOnly"] = .bool(true)
            fields["NSFilteringPredicate"] = KeyedArchiveWriter.null
            fields["NSDerivationExpression"] = expression(ofDerivation: derivation)
            if !Self.isPlain(derivation) {
                fields[ModelArchiveKey.derivationFormat] = archive.add(.string(derivation))
            }
        }
        if attribute.type == .composite {
            fields["NSElements"] = archive.add(
                elements: attribute.elements.map { element in
                    archive.add(Self.classes(of: element), fields: attributeFields(of: element))
                })
        }
        return fields
    }

    /// Returns `true` if the expression fully represents the text: a path, or a function of one.
    private static func isPlain(_ derivation: String) -> Bool {
        let path = "[A-Za-z_@][A-Za-z0-9_.@]*"
        return derivation.range(of: "^(\(path)|[A-Za-z]+:\\(\(path)\\))$", options: .regularExpression) != nil
    }

    private static func valueClassName(of attribute: AttributeDescription) -> String? {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .transformable: attribute.attributeValueClassName
        case .composite: "NSDictionary"
        case .undefined, .objectID: nil
        }
    }

    /// Writes a value as a separate object, with integers in the attribute's kind of number.
    mutating func value(_ value: ManagedValue, of type: AttributeType) -> PropertyListValue {
        switch value {
        case .int(let number) where type == .double || type == .float: archive.add(.real(Double(number)))
        case .int(let number) where type == .decimal: archive.add(Decimal(number))
        case .double(let number) where type == .decimal: archive.add(Decimal(number))
        case .bool(let flag): archive.add(.bool(flag))
        case .int(let number): archive.add(.integer(number))
        case .double(let number): archive.add(.real(number))
        case .decimal(let number): archive.add(number)
        case .string(let text): archive.add(.string(text))
        case .date(let date): archive.add(date)
        case .data(let data): archive.add(.data(data))
        case .uuid(let uuid): archive.add(uuid)
        case .url(let url): archive.add(url)
        case .null, .object, .list, .dictionary: KeyedArchiveWriter.null
        }
    }

    // MARK: Relationships

    private mutating func relationshipFields(
        of relationship: Entity.Relationship
    ) -> [String: PropertyListValue] {
        let description = relationship.description
        var fields = fields(
            description.name, isOptional: description.isOptional, isTransient: description.isTransient,
            renamingIdentifier: description.renamingIdentifier, versionHashModifier: description.versionHashModifier,
            userInfo: description.userInfo, flags: description.isOrdered ? PropertyFlags.isOrdered : 0)
        fields["NSDestinationEntity"] = uid(of: relationship.destination)
        fields["_NSDestinationEntityName"] = archive.add(.string(relationship.destination.name))
        fields["NSDeleteRule"] = .integer(Int64(description.deleteRule.rawValue))
        fields["NSMinCount"] = .integer(Int64(description.minCount))
        fields["NSMaxCount"] = .integer(Int64(description.maxCount))
        if description.isOrdered { fields["NSIsOrdered"] = .bool(true) }
        if description.isIndexed { fields["NSIsIndexed"] = .bool(true) }
        if let inverse = relationship.inverse {
            fields["NSInverseRelationship"] = uid(ofProperty: inverse.name, of: inverse.entity)
            fields["_NSInverseRelationshipName"] = archive.add(.string(inverse.name))
        }
        return fields
    }

    // MARK: Fetches

    mutating func fetchRequest(_ template: FetchRequestTemplate) -> PropertyListValue {
        var fields: [String: PropertyListValue] = [
            "NSEntity": model.entitiesByName[template.entityName].map(uid) ?? KeyedArchiveWriter.null,
            ModelArchiveKey.name: archive.add(.string(template.name)),
        ]
        if let text = template.predicateFormat { fields[ModelArchiveKey.predicateFormat] = archive.add(.string(text)) }
        if template.fetchLimit > 0 { fields["NSFetchLimit"] = .integer(Int64(template.fetchLimit)) }
        if template.fetchBatchSize > 0 { fields["NSBatchSize"] = .integer(Int64(template.fetchBatchSize)) }
        if template.resultType != .managedObjects {
            fields["NSResultType"] = .integer(Int64(template.resultType.rawValue))
        }
        let marks = [
            (ModelArchiveKey.excludesSubentities, !template.includesSubentities),
            (ModelArchiveKey.excludesPropertyValues, !template.includesPropertyValues),
            (ModelArchiveKey.excludesPendingChanges, !template.includesPendingChanges),
            (ModelArchiveKey.returnsFullObjects, !template.returnsObjectsAsFaults),
            (ModelArchiveKey.returnsDistinctResults, template.returnsDistinctResults),
        ]
        for (key, isSet) in marks where isSet { fields[key] = .bool(true) }
        return archive.add(["NSFetchRequest", "NSPersistentStoreRequest"], fields: fields)
    }
}
