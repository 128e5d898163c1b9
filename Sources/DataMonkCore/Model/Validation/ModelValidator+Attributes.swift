import Foundation

extension ModelValidator {
    mutating func checkAttributes() {
        for position in entities.indices {
            let name = entities[position].name
            for case .attribute(let attribute) in entities[position].properties {
                checkType(of: attribute, name)
                checkOptions(of: attribute, name)
                checkBounds(of: attribute, name)
                checkDefault(of: attribute, named: attribute.name, in: name)
                checkDerivation(of: attribute, ofEntityAt: position)
                for element in attribute.elements { checkElement(element, of: attribute, in: name) }
            }
        }
    }

    private mutating func checkType(of attribute: AttributeDescription, _ entity: String) {
        switch attribute.type {
        case .undefined where !attribute.isTransient:
            report(
                .invalidType, in: entity, property: attribute.name,
                message: "It has no type, which only a transient attribute may omit. Give it one."
            )
        case .objectID where !attribute.isTransient:
            report(
                .invalidType, in: entity, property: attribute.name,
                message: "Object ids cannot be stored in an attribute. Use a relationship, or store the id's URI.")
        case .composite where attribute.elements.isEmpty:
            report(
                .invalidType, in: entity, property: attribute.name,
                message: "It is composite, but has no elements. Add some.")
        case let type where type != .composite && !attribute.elements.isEmpty:
            report(
                .invalidType, in: entity, property: attribute.name,
                message: "It has elements, but is not composite. Make it composite.")
        default:
            break
        }
    }

    private mutating func checkElement(
        _ element: AttributeDescription, of attribute: AttributeDescription, in entity: String
    ) {
        let isNested = element.type == .composite || !element.elements.isEmpty
        if element.type == .undefined || element.type == .objectID || isNested || element.isTransient
            || element.isDerived || element.allowsExternalBinaryDataStorage || element.hasTextIndex
            || element.isCodable
        {
            report(
                .invalidType, in: entity, property: attribute.name,
                message: """
                    Its element \(element.name) must be a plain stored attribute: it needs a type, and cannot be \
                    composite, codable, transient, derived, stored in external files or have a full-text index.
                    """
            )
        }
        checkOptions(of: element, entity)
        checkBounds(of: element, entity)
        checkDefault(of: element, named: "\(attribute.name).\(element.name)", in: entity)
    }

    private mutating func checkOptions(of attribute: AttributeDescription, _ entity: String) {
        let holdsBytes = attribute.type == .binary || attribute.type == .transformable
        if attribute.allowsExternalBinaryDataStorage, !holdsBytes {
            report(
                .invalidOption, in: entity, property: attribute.name,
                message: "Only binary and transformable values can be stored in external files. Remove the option.")
        }
        if attribute.hasTextIndex, attribute.type != .string || attribute.isTransient || attribute.isDerived {
            report(
                .invalidIndex, in: entity, property: attribute.name,
                message: "Only a stored string that is not derived can have a full-text index. Remove textSearch.")
        }
        if attribute.isCodable, attribute.isDerived || attribute.hasTextIndex || attribute.hasTextRules {
            report(
                .invalidOption, in: entity, property: attribute.name,
                message: """
                    It is codable, so its text is JSON: it cannot be derived, and cannot have a full-text index, a minimum or \
                    maximum length or a regular expression. Remove that option, or add a condition that looks into the JSON.
                    """)
        }
        if attribute.isIndexed, attribute.isTransient {
            report(
                .invalidIndex, in: entity, property: attribute.name,
                message: "It is transient, so it cannot be indexed. Remove the index.")
        }
    }

    private mutating func checkBounds(of attribute: AttributeDescription, _ entity: String) {
        let bounds = [attribute.minimum, attribute.maximum]
        for bound in bounds where !bound.isNull && !attribute.takesBound(bound) {
            report(
                .invalidBounds, in: entity, property: attribute.name,
                message: """
                    \(bound.kind) is not a valid bound of \(attribute.type.article) attribute. \
                    \(attribute.type.boundRemedy)
                    """)
        }
        if let low = attribute.minimum.magnitude, let high = attribute.maximum.magnitude, low > high {
            report(
                .invalidBounds, in: entity, property: attribute.name,
                message: "Its minimum is greater than its maximum. Swap them.")
        }
        guard let pattern = attribute.regularExpression else { return }
        if attribute.type != .string {
            report(
                .invalidOption, in: entity, property: attribute.name,
                message: "Only strings can have a regular expression. Remove it.")
        }
        do {
            _ = try NSRegularExpression(pattern: pattern)
        } catch {
            report(
                .invalidRegularExpression, in: entity, property: attribute.name,
                message: "Its regular expression is invalid. Correct it.")
        }
    }

    private mutating func checkDefault(of attribute: AttributeDescription, named name: String, in entity: String) {
        let value = attribute.defaultValue
        guard !value.isNull else { return }
        guard attribute.takes(value) else {
            report(
                .invalidDefault, in: entity, property: name,
                message: """
                    Its default value is \(value.kind), but it is \(attribute.type.article) attribute. Use the same type \
                    for both.
                    """)
            return
        }
        if attribute.isCodable, case .string(let text) = value, !CodableText.isValid(text) {
            report(
                .invalidDefault, in: entity, property: name,
                message: "It is codable, but its default value is not JSON. Use the JSON of a value of its type.")
        }
        guard !attribute.hasRoom(for: value) else { return }
        report(
            .invalidDefault, in: entity, property: name,
            message: "Its default value is not valid for \(attribute.type.article). Use another one.")
    }

    private mutating func checkDerivation(of attribute: AttributeDescription, ofEntityAt position: Int) {
        guard let expression = attribute.derivationExpression, !attribute.hasUnknownDerivation else { return }
        let entity = entities[position].name
        if attribute.isTransient {
            report(
                .invalidDerivation, in: entity, property: attribute.name,
                message:
                    "It is derived, so the store computes it, and it cannot be transient. Make it one or the other.")
        }
        if !attribute.defaultValue.isNull {
            report(
                .invalidDerivation, in: entity, property: attribute.name,
                message: "It is derived, so its default value has no effect. Remove the default value.")
        }
        let source = Self.derivationSource(in: expression)
        if expression.isEmpty {
            report(
                .invalidDerivation, in: entity, property: attribute.name,
                message: "Its derivation is empty. State what it is derived from.")
        } else if let source, property(named: source, ofEntityAt: position) == nil {
            let hint = suggestion(for: source, among: propertyNames(ofEntityAt: position))
            report(
                .invalidDerivation, in: entity, property: attribute.name,
                message:
                    "It is derived from \(source), which \(entity) does not have.\(hint) Use one of its properties.")
        }
    }

    /// Returns the property at which a derivation starts: `photos` of `photos.@count`, `name` of `canonical:(name)`, or
    /// `nil` for `now()`.
    private static func derivationSource(in expression: String) -> String? {
        var path = expression[...]
        if let parenthesis = path.firstIndex(of: "(") { path = path[path.index(after: parenthesis)...] }
        let name = path.prefix { $0 != "." && $0 != ")" && $0 != "," }.trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? nil : name
    }
}

extension AttributeDescription {
    /// A Boolean value indicating whether a rule is about the characters of the attribute's text.
    fileprivate var hasTextRules: Bool { !minimum.isNull || !maximum.isNull || regularExpression != nil }
}
