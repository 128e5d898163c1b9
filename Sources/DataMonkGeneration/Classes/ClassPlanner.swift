import DataMonkCore

/// **Value.** Describes the class of one entity.
struct ClassPlanner {
    /// The key of the user info that has the documentation of an entity or a property.
    static let documentationKey = "documentation"
    /// The keys of the user info that are for this tool alone. The code says what they ask for.
    private static let ownKeys: Set = [documentationKey, EnumPlanner.nameKey, EnumPlanner.casesKey, ClassAccess.key]
    /// Foundation's names for the transformer of an attribute without one.
    private static let usualTransformers: Set = ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"]

    let entity: Entity
    let naming: ClassNaming
    let enums: EnumPlanner
    let names: SwiftNames
    private(set) var problems: [ModelError.Problem] = []

    init(_ entity: Entity, naming: ClassNaming, enums: EnumPlanner, names: SwiftNames) {
        self.entity = entity
        self.naming = naming
        self.enums = enums
        self.names = names
    }

    private var literals: SwiftLiteral { SwiftLiteral(names: names) }

    mutating func plan(with templates: [FetchRequestTemplate]) -> GeneratedClass {
        let description = entity.description
        var plan = GeneratedClass(
            entityName: entity.name, name: naming[entity], superclass: entity.superentity.map { naming[$0] },
            isLeaf: entity.subentities.isEmpty, isAbstract: entity.isAbstract,
            documentation: description.userInfo[Self.documentationKey] ?? "An object of the entity `\(entity.name)`.",
            originalName: description.renamingIdentifier, hashModifier: description.versionHashModifier,
            userInfo: Self.notes(description.userInfo), unique: description.uniquenessConstraints, indexes: indexes,
            firstSlot: entity.superentity?.properties.count ?? 0,
            codeGeneration: description.codeGeneration,
            isNamedByModel: ![nil, "NSManagedObject"].contains(description.managedObjectClassName),
            enumNames: description.attributes.compactMap { enums.type(of: $0)?.name })
        plan.properties = properties
        // A subclass inherits the functions of its superclass, and cannot have them again.
        let inherited = Set(entity.ancestors.flatMap(\.description.uniquenessConstraints))
        plan.fetches = description.uniquenessConstraints.filter { !inherited.contains($0) }.compactMap(uniqueFetch)
        for template in templates { plan.fetches.append(fetch(template)) }
        checkFetches(plan.fetches)
        return plan
    }

    /// Returns user info without what the code says already.
    private static func notes(_ userInfo: [String: String]) -> [String: String] {
        userInfo.filter { !ownKeys.contains($0.key) }
    }

    /// The groups of properties with an index. A single attribute has the option, and each to-one has an index anyway.
    private var indexes: [[String]] {
        var seen: Set<[String]> = []
        return entity.description.indexes.compactMap(entity.declarableKeys).filter { names in
            let isNeeded = names.count > 1 || entity.attribute(named: names[0])?.description.isIndexed == false
            return isNeeded && seen.insert(names).inserted
        }
    }

    private var properties: [GeneratedProperty] {
        let inherited = entity.superentity?.properties ?? []
        let inheritedFetched = entity.superentity?.fetchedProperties ?? []
        let inheritedNames = Set(inherited.map(\.name) + inheritedFetched.map(\.name))
        var slot = inherited.count
        // A property that a sub-entity declares again has the accessors of the superentity's class.
        return entity.description.properties.filter { !inheritedNames.contains($0.name) }.map { property in
            let isFetched = if case .fetched = property { true } else { false }
            defer { slot += isFetched ? 0 : 1 }
            return self.property(property, slot: slot)
        }
    }

    private func property(_ property: PropertyDescription, slot: Int) -> GeneratedProperty {
        let kind: GeneratedProperty.Kind
        let (noun, userInfo): (String, [String: String])
        switch property {
        case .attribute(let attribute):
            (noun, userInfo) = ("attribute", attribute.userInfo)
            kind = self.attribute(attribute).map { .attribute($0) } ?? .opaque(Self.withoutOwnKeys(attribute))
        case .relationship(let relationship):
            (noun, userInfo) = ("relationship", relationship.userInfo)
            kind = .relationship(self.relationship(relationship))
        case .fetched(let fetched):
            (noun, userInfo) = ("fetched property", fetched.userInfo)
            kind = .fetched(destination: naming.classNames[fetched.fetchRequest.entityName] ?? "ManagedObject")
        }
        return GeneratedProperty(
            name: property.name,
            documentation: userInfo[Self.documentationKey] ?? "The \(noun) `\(property.name)`.", slot: slot, kind: kind)
    }

    private func attribute(_ attribute: AttributeDescription) -> GeneratedProperty.Attribute? {
        guard let name = attribute.type.swiftName, !attribute.isCodable else { return nil }
        let type = enums.type(of: attribute).map { SwiftNames.identifier($0.name) } ?? names.type(name)
        return GeneratedProperty.Attribute(
            type: attribute.isOptional ? "\(type)?" : type, defaultValue: defaultValue(of: attribute),
            options: options(of: attribute), isDerived: attribute.isDerived,
            originalName: attribute.renamingIdentifier, hashModifier: attribute.versionHashModifier,
            userInfo: Self.notes(attribute.userInfo),
            description: Self.hasOwnTransformer(attribute) ? Self.withoutOwnKeys(attribute) : nil)
    }

    private static func withoutOwnKeys(_ attribute: AttributeDescription) -> AttributeDescription {
        var attribute = attribute
        attribute.userInfo = notes(attribute.userInfo)
        return attribute
    }

    private static func hasOwnTransformer(_ attribute: AttributeDescription) -> Bool {
        guard attribute.type == .transformable, let name = attribute.valueTransformerName else { return false }
        return !usualTransformers.contains(name)
    }

    private func defaultValue(of attribute: AttributeDescription) -> String? {
        guard !attribute.isDerived else { return nil }
        guard let type = enums.type(of: attribute), !attribute.defaultValue.isNull else {
            return literals.value(attribute.defaultValue, of: attribute.type)
        }
        if let known = type.cases.first(where: { $0.value == attribute.defaultValue }) {
            return "\(SwiftNames.identifier(type.name)).\(SwiftNames.identifier(known.name))"
        }
        return literals.value(attribute.defaultValue, of: attribute.type).map {
            "\(SwiftNames.identifier(type.name))(rawValue: \($0)) ?? .fallback"
        }
    }

    private func options(of attribute: AttributeDescription) -> [String] {
        var options: [String] = []
        if let derivation = attribute.derivationExpression {
            options.append(SwiftLiteral.call(".derived", [SwiftLiteral.text(derivation)]))
        }
        if attribute.isTransient { options.append(".transient") }
        if attribute.isIndexed { options.append(".indexed") }
        if attribute.hasTextIndex { options.append(".textSearch") }
        if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
        if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
        if let bound = literals.managedValue(attribute.minimum) { options.append(".minimum(\(bound))") }
        if let bound = literals.managedValue(attribute.maximum) { options.append(".maximum(\(bound))") }
        if let pattern = attribute.regularExpression {
            options.append(SwiftLiteral.call(".regularExpression", [SwiftLiteral.text(pattern)]))
        }
        return options + attribute.validationPredicates.compactMap { literals.validation(".validation", $0) }
    }

    private func relationship(_ relationship: RelationshipDescription) -> GeneratedProperty.Relationship {
        let ownClass = naming.classNames[relationship.destinationEntityName].map(SwiftNames.identifier)
        let destination = ownClass ?? names.type("ManagedObject")
        let isOrdered = relationship.isOrdered && relationship.isToMany
        let type =
            relationship.isToMany
            ? isOrdered ? "[\(destination)]" : "\(names.type("Set"))<\(destination)>" : "\(destination)?"
        let isRequired = !relationship.isOptional
        // A to-many says so by `.required`, and no option of a to-one does.
        let usualMinimum = isRequired && relationship.isToMany ? 1 : 0
        let hasOptions = [(isRequired, ".required"), (relationship.isTransient, ".transient")]
        return GeneratedProperty.Relationship(
            type: type, destination: destination, isToMany: relationship.isToMany, isOrdered: isOrdered,
            options: hasOptions.filter(\.0).map(\.1), deleteRule: relationship.deleteRule,
            minimumCount: relationship.minCount == usualMinimum ? nil : relationship.minCount,
            maximumCount: relationship.isToMany && relationship.maxCount != 0 ? relationship.maxCount : nil,
            originalName: relationship.renamingIdentifier, inverseName: relationship.inverseName,
            namesInverse: namesInverse(relationship), hashModifier: relationship.versionHashModifier,
            userInfo: Self.notes(relationship.userInfo))
    }

    /// Returns `true` for one side of each pair. On both sides the compiler would report a circular reference.
    private func namesInverse(_ relationship: RelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseName else { return false }
        let (mine, other) = ("\(entity.name).\(relationship.name)", "\(relationship.destinationEntityName).\(inverse)")
        return !String.precedesInBytes(other, mine)
    }
}

extension ClassPlanner {
    private func uniqueFetch(_ constraint: [String]) -> GeneratedFetch? {
        let parameters = constraint.compactMap { name -> GeneratedFetch.Parameter? in
            guard let property = entity.propertiesByName[name] else { return nil }
            let type: String
            switch property {
            case .attribute(let attribute):
                guard let name = attribute.type.swiftName else { return nil }
                type =
                    enums.type(of: attribute.description).map { SwiftNames.identifier($0.name) } ?? names.type(name)
            case .relationship(let relationship): type = SwiftNames.identifier(naming[relationship.destination])
            }
            return GeneratedFetch.Parameter(label: name, key: name, type: type)
        }
        guard parameters.count == constraint.count else { return nil }
        let list = constraint.map { "`\($0)`" }.joined(separator: " and ")
        return GeneratedFetch(
            name: "fetch", documentation: "Fetches the object with \(list), of which there is one at most.",
            parameters: parameters, kind: .unique)
    }

    private mutating func fetch(_ template: FetchRequestTemplate) -> GeneratedFetch {
        var parameters: [GeneratedFetch.Parameter] = []
        if let format = template.predicateFormat {
            do {
                parameters = try Condition(format: format).variableNames.map {
                    GeneratedFetch.Parameter(
                        label: SwiftNames.lowerCamel($0), key: $0, type: "some \(names.type("FormatArgument"))")
                }
            } catch {
                report(template, message: "Its condition cannot be read: \(error.message)")
            }
        }
        var documentation = "Fetches the objects of the fetch request `\(template.name)`"
        if let format = template.predicateFormat { documentation += ": `\(format)`" }
        let name = SwiftNames.upperCamel(template.name)
        if !SwiftNames.isIdentifier(name) || parameters.contains(where: { !SwiftNames.isIdentifier($0.label) }) {
            report(template, message: "Its name, or that of a variable, is no name of Swift. Rename it.")
        }
        return GeneratedFetch(
            name: "fetch\(name)", documentation: documentation + ".", parameters: parameters, kind: .template(template))
    }

    private mutating func checkFetches(_ fetches: [GeneratedFetch]) {
        var seen: Set<String> = []
        for fetch in fetches {
            guard case .template(let template) = fetch.kind else { continue }
            if Set(fetch.parameters.map(\.label)).count < fetch.parameters.count {
                report(template, message: "Two of its variables are the same name of Swift. Rename one.")
            }
            if seen.insert(fetch.signature).inserted { continue }
            report(template, message: "Another fetch request has the same function, \(fetch.name). Rename one.")
        }
    }

    private mutating func report(_ template: FetchRequestTemplate, message: String) {
        problems.append(
            ModelError.Problem(
                kind: .illegalName, entityName: entity.name, propertyName: nil,
                message: "The fetch request \(template.name): \(message)"))
    }
}

extension Entity {
    /// Returns the properties of an index, or `nil` if a class cannot declare it: it has only ascending indexes on stored
    /// properties, without a condition.
    func declarableKeys(of index: FetchIndexDescription) -> [String]? {
        let names = index.elements.compactMap { element -> String? in
            guard element.isAscending, element.collationType == .binary, let name = element.propertyName,
                let property = propertiesByName[name], !property.isTransient, property.relationship?.isToMany != true
            else { return nil }
            return name
        }
        let isWhole = names.count == index.elements.count && index.partialIndexPredicateFormat == nil
        return isWhole && !names.isEmpty ? names : nil
    }
}

extension AttributeType {
    /// The Swift type of the values, or `nil` if there is none.
    var swiftName: String? {
        switch self {
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .transformable: "Transformable"
        case .undefined, .objectID, .composite: nil
        }
    }
}
