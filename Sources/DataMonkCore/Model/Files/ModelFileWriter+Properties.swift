import Foundation

extension ModelFileWriter {
    /// - Parameters:
    ///   - path: The names from the attribute of the entity down to this one, for an element of a composite.
    ///   - hasIndex: Whether an index of the entity has the attribute as its only element, which marks the
    ///     attribute as indexed when the file is read.
    mutating func element(
        of attribute: AttributeDescription, path: String? = nil, hasIndex: Bool = false
    ) -> XMLElementText {
        propertyName = path ?? attribute.name
        var element = XMLElementText("attribute")
        element.set("name", attribute.name)
        element.set("optional", attribute.isOptional)
        element.set("transient", attribute.isTransient)
        element.set("attributeType", ModelFileReader.name(of: attribute.type))
        setValues(of: attribute, on: &element)
        element.set("usesScalarValueType", attribute.usesScalarValueType)
        element.set("valueTransformerName", text(attribute.valueTransformerName, "The name of the transformer"))
        element.set("customClassName", text(attribute.attributeValueClassName, "The class of the values"))
        element.set("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
        element.set("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
        if let derivation = attribute.derivationExpression {
            element.set("derived", true)
            element.set("derivationExpression", text(derivation, "The derivation"))
        }
        if attribute.type == .composite { element.set("composite", nameOfComposite(of: attribute)) }
        element.set("indexed", attribute.isIndexed && !hasIndex)
        element.set("elementID", text(attribute.renamingIdentifier, "The renaming identifier"))
        element.set("versionHashModifier", text(attribute.versionHashModifier, "The version hash modifier"))
        element.set("syncable", true)
        element.add(list: "userInfo", entries(of: attribute.userInfo))
        noteOmissions(of: attribute, hasIndex: hasIndex)
        return element
    }

    private mutating func setValues(of attribute: AttributeDescription, on element: inout XMLElementText) {
        let isDate = attribute.type == .date
        let form = isDate ? "DateTimeInterval" : "ValueString"
        element.set("default\(form)", valueText(attribute.defaultValue, "The default value"))
        element.set("min\(form)", valueText(attribute.minimum, "The minimum"))
        element.set("max\(form)", valueText(attribute.maximum, "The maximum"))
        element.set("regularExpressionString", text(attribute.regularExpression, "The regular expression"))
    }

    private mutating func noteOmissions(of attribute: AttributeDescription, hasIndex: Bool) {
        for predicate in attribute.validationPredicates {
            omit("A model file has no conditions on values, so it does not contain this one: \(predicate.warning)")
        }
        if attribute.hasTextIndex { omit("A model file has no text indexes, so it does not contain this one.") }
        if attribute.hasUnknownDerivation { omit("Its derivation is not known, so the file does not contain it.") }
        if hasIndex, !attribute.isIndexed, !attribute.isTransient {
            omit("It has an index of its own, so a model that is read from the file marks it as indexed, too.")
        }
    }

    private mutating func valueText(_ value: ManagedValue, _ subject: String) -> String? {
        switch value {
        case .null: return nil
        case .bool(let flag): return flag ? "YES" : "NO"
        case .int(let number): return String(number)
        case .double(let number): return "\(number)"
        case .decimal(let number): return number.description
        case .string(let string): return text(string, subject)
        case .date(let date): return "\(date.timeIntervalSinceReferenceDate)"
        case .uuid(let uuid): return uuid.uuidString
        case .url(let url): return text(url.absoluteString, subject)
        case .data, .object, .list, .dictionary:
            omit("\(subject) is \(value.kind), for which a model file has no form, so the file does not contain it.")
            return nil
        }
    }

    /// Adds the composite type of an attribute to the file, and returns its name. Model files name such types, and models
    /// do not, so it is named after its first attribute.
    private mutating func nameOfComposite(of attribute: AttributeDescription) -> String {
        let path = propertyName ?? attribute.name
        let base = "\(entityName ?? "")_\(path)".replacing(".", with: "_")
        var name = base
        var number = 2
        while !compositeNames.insert(name).inserted { (name, number) = ("\(base)\(number)", number + 1) }
        var element = XMLElementText("composite")
        element.set("name", name)
        for part in attribute.elements {
            element.children.append(self.element(of: part, path: "\(path).\(part.name)"))
        }
        propertyName = path
        composites.append(element)
        return name
    }

    mutating func element(of relationship: RelationshipDescription) -> XMLElementText {
        propertyName = relationship.name
        var element = XMLElementText("relationship")
        element.set("name", relationship.name)
        element.set("optional", relationship.isOptional)
        element.set("transient", relationship.isTransient)
        element.set("toMany", relationship.isToMany)
        element.set("minCount", relationship.minCount)
        element.set("maxCount", relationship.maxCount)
        element.set("deletionRule", ModelFileReader.name(of: relationship.deleteRule))
        element.set("ordered", relationship.isOrdered)
        element.set("destinationEntity", relationship.destinationEntityName)
        element.set("inverseName", relationship.inverseName)
        element.set("inverseEntity", relationship.inverseName.map { _ in relationship.destinationEntityName })
        element.set("indexed", relationship.isIndexed)
        element.set("elementID", text(relationship.renamingIdentifier, "The renaming identifier"))
        element.set("versionHashModifier", text(relationship.versionHashModifier, "The version hash modifier"))
        element.set("syncable", true)
        element.add(list: "userInfo", entries(of: relationship.userInfo))
        return element
    }

    mutating func element(of property: FetchedPropertyDescription) -> XMLElementText {
        propertyName = property.name
        var element = XMLElementText("fetchedProperty")
        element.set("name", property.name)
        element.set("optional", property.isOptional)
        element.set("syncable", true)
        element.children = [self.element(of: property.fetchRequest)]
        element.add(list: "userInfo", entries(of: property.userInfo))
        return element
    }

    mutating func element(of template: FetchRequestTemplate) -> XMLElementText {
        var element = XMLElementText("fetchRequest")
        element.set("name", template.name)
        element.set("entity", template.entityName)
        element.set("predicateString", text(template.predicateFormat, "The condition of \(template.name)"))
        element.set("resultType", template.resultType.rawValue)
        element.set("fetchLimit", template.fetchLimit)
        element.set("fetchBatchSize", template.fetchBatchSize)
        element.set("includeSubentities", template.includesSubentities, absent: true)
        element.set("includePropertyValues", template.includesPropertyValues, absent: true)
        element.set("includesPendingChanges", template.includesPendingChanges, absent: true)
        element.set("returnObjectsAsFaults", template.returnsObjectsAsFaults, absent: true)
        element.set("returnDistinctResults", template.returnsDistinctResults)
        return element
    }

    mutating func element(of index: FetchIndexDescription) -> XMLElementText {
        var element = XMLElementText("fetchIndex")
        element.set("name", index.name)
        element.set("partialIndexPredicate", text(index.partialIndexPredicateFormat, "The condition of \(index.name)"))
        element.children = index.elements.map { part in
            var element = XMLElementText("fetchIndexElement")
            switch part.subject {
            case .property(let name): element.set("property", name)
            case .expression(let expression): element.set("expression", expression)
            }
            element.set("type", part.collationType == .rTree ? "RTree" : "Binary")
            element.set("order", part.isAscending ? "ascending" : "descending")
            return element
        }
        return element
    }
}
