import DataMonkCore

/// **Value.** The parts of a model that its classes do not declare. A model of the classes alone does not have them.
///
/// Hints for Xcode's own code, such as scalar types and the classes of transformable values, are not among them: they have no
/// effect.
struct ClassOmissions {
    /// The lines, such as `Hive.photo: A declaration has no form for its default value, which is Data.`
    private(set) var lines: [String] = []
    private let literals: SwiftLiteral

    init(of model: ManagedObjectModel, names: SwiftNames) {
        literals = SwiftLiteral(names: names)
        for entity in model.entities { note(entity) }
        for name in model.configurations.keys.sorted(by: String.precedesInBytes) {
            lines.append("The configuration \(name): Classes belong to no configuration.")
        }
        for name in model.fetchRequestTemplates.keys.sorted(by: String.precedesInBytes) {
            let isOfObjects = model.fetchRequestTemplates[name]?.resultType == .managedObjects
            lines.append(
                "The fetch request \(name): "
                    + (isOfObjects
                        ? "A class has a function for it, but a model of classes does not have it by name."
                        : "The function for it fetches objects, although its results are of another type."))
        }
        for identifier in model.versionIdentifiers where !identifier.isEmpty {
            lines.append("The version identifier \(identifier): A model of classes has none.")
        }
    }

    private mutating func note(_ entity: Entity) {
        for property in entity.description.properties {
            let place = "\(entity.name).\(property.name)"
            if let inherited = Self.inherited(property.name, by: entity) {
                if property == inherited { continue }
                lines.append(
                    "\(place): A subclass cannot declare an inherited property with other options. They may be part of the "
                        + "version hash.")
                continue
            }
            switch property {
            case .attribute(let attribute): note(attribute, place)
            case .relationship(let relationship) where relationship.isOrdered && !relationship.isToMany:
                lines.append("\(place): A class cannot mark a to-one as ordered. The mark is part of the version hash.")
            case .relationship: break
            case .fetched:
                lines.append("\(place): A class declares no fetched property. Its function needs the model's file.")
            }
        }
        for index in entity.description.indexes where entity.declarableKeys(of: index) == nil {
            let place = "\(entity.name).\(index.name)"
            lines.append("\(place): A class has only ascending indexes on stored properties, without a condition.")
        }
    }

    private static func inherited(_ name: String, by entity: Entity) -> PropertyDescription? {
        switch entity.superentity?.propertiesByName[name] {
        case .attribute(let attribute)?: .attribute(attribute.description)
        case .relationship(let relationship)?: .relationship(relationship.description)
        case nil: nil
        }
    }

    private mutating func note(_ attribute: AttributeDescription, _ place: String) {
        let values = [
            ("default value", attribute.defaultValue), ("minimum", attribute.minimum), ("maximum", attribute.maximum),
        ]
        for (subject, value) in values where !value.isNull && literals.managedValue(value) == nil {
            lines.append("\(place): A declaration has no form for its \(subject), which is \(value.kind).")
        }
        for predicate in attribute.validationPredicates where literals.validation("", predicate) == nil {
            lines.append("\(place): A declaration has no form for its condition \(predicate.condition.format).")
        }
        if attribute.isDerived, attribute.derivationExpression == nil {
            lines.append("\(place): Its derivation is not known, so the class declares a plain attribute.")
        }
        for element in attribute.elements { note(element, "\(place).\(element.name)") }
    }
}
