extension ModelFileReader {
    private static let deleteRules: [String: DeleteRule] = [
        "No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny,
    ]

    /// Returns the name of a rule in files.
    static func name(of rule: DeleteRule) -> String? { deleteRules.first { $0.value == rule }?.key }

    func relationship(_ element: XMLElementNode) throws(ModelError) -> RelationshipDescription {
        let ruleName = element.attributes["deletionRule"] ?? "Nullify"
        guard let deleteRule = Self.deleteRules[ruleName] else {
            throw fault(at: element, "\(ruleName) is not a delete rule.")
        }
        return RelationshipDescription(
            try required("name", of: element), to: element.attributes["destinationEntity"] ?? "",
            inverse: element.attributes["inverseName"], isToMany: try flag("toMany", of: element) ?? false,
            isOrdered: try flag("ordered", of: element) ?? false,
            isOptional: try flag("optional", of: element) ?? false,
            isTransient: try flag("transient", of: element) ?? false,
            isIndexed: try flag("indexed", of: element) ?? false,
            minCount: try number("minCount", of: element) ?? 0, maxCount: try number("maxCount", of: element),
            deleteRule: deleteRule, renamingIdentifier: element.attributes["elementID"],
            versionHashModifier: element.attributes["versionHashModifier"], userInfo: try userInfo(of: element))
    }

    func fetchedProperty(_ element: XMLElementNode) throws(ModelError) -> FetchedPropertyDescription {
        guard let request = element.children.first(where: { $0.name == "fetchRequest" }) else {
            throw fault(at: element, "<fetchedProperty> has no <fetchRequest>.")
        }
        return FetchedPropertyDescription(
            try required("name", of: element), fetchRequest: try fetchRequest(request),
            isOptional: try flag("optional", of: element) ?? false, userInfo: try userInfo(of: element))
    }

    /// Returns a fetch request. Absent options have the values of a new fetch request.
    func fetchRequest(_ element: XMLElementNode) throws(ModelError) -> FetchRequestTemplate {
        let resultCode = try number("resultType", of: element) ?? 0
        guard let resultType = FetchRequestTemplate.ResultType(rawValue: resultCode) else {
            throw fault(at: element, "\(resultCode) is not a result type.")
        }
        return FetchRequestTemplate(
            try required("name", of: element), entityName: try required("entity", of: element),
            predicateFormat: element.attributes["predicateString"],
            fetchLimit: try number("fetchLimit", of: element) ?? 0,
            fetchBatchSize: try number("fetchBatchSize", of: element) ?? 0, resultType: resultType,
            includesSubentities: try flag("includeSubentities", of: element) ?? true,
            includesPropertyValues: try flag("includePropertyValues", of: element) ?? true,
            includesPendingChanges: try flag("includesPendingChanges", of: element) ?? true,
            returnsObjectsAsFaults: try flag("returnObjectsAsFaults", of: element) ?? true,
            returnsDistinctResults: try flag("returnDistinctResults", of: element) ?? false)
    }

    func fetchIndex(_ element: XMLElementNode) throws(ModelError) -> FetchIndexDescription {
        var elements: [FetchIndexElementDescription] = []
        for part in element.children(named: "fetchIndexElement") {
            let subject: FetchIndexElementDescription.Subject
            if let property = part.attributes["property"] {
                subject = .property(property)
            } else {
                subject = .expression(try required("expression", of: part))
            }
            elements.append(
                FetchIndexElementDescription(
                    subject, collationType: part.attributes["type"] == "RTree" ? .rTree : .binary,
                    isAscending: part.attributes["order"] != "descending"))
        }
        return FetchIndexDescription(
            try required("name", of: element), on: elements,
            partialIndexPredicateFormat: element.attributes["partialIndexPredicate"])
    }

    /// Returns indexes in the form of old model files. They have no names there; Core Data names them after their
    /// properties.
    func compoundIndexes(of element: XMLElementNode) throws(ModelError) -> [FetchIndexDescription] {
        try element.parts(of: "compoundIndexes").map { compound throws(ModelError) in
            FetchIndexDescription(compoundOf: try names("value", of: compound.children))
        }
    }
}
