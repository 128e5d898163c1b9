/// Writes validation predicates and derivations as the objects that Core Data makes of them.
extension ModelArchiveWriter {
    /// The warning for violated bounds.
    static let boundsWarning = "The value is out of range."

    /// Returns the bounds and conditions of an attribute as Core Data's predicates, with their warnings.
    mutating func validationPredicates(
        of attribute: AttributeDescription
    ) -> [(predicate: PropertyListValue, warning: String)] {
        let isText = attribute.type == .string
        let type = isText ? AttributeType.integer64 : attribute.type
        var predicates: [(predicate: PropertyListValue, warning: String)] = []
        let bounds: [(ManagedValue, Condition.Comparison.Operator)] = [
            (attribute.minimum, .greaterThanOrEqual), (attribute.maximum, .lessThanOrEqual),
        ]
        for (bound, operation) in bounds where !bound.isNull {
            let left = isText ? keyPath("length") : itself()
            predicates.append((comparison(left, operation, constant(value(bound, of: type))), Self.boundsWarning))
        }
        if let pattern = attribute.regularExpression {
            let text = constant(archive.add(.string(pattern)))
            predicates.append((comparison(itself(), .matches, text), Self.boundsWarning))
        }
        for predicate in attribute.validationPredicates {
            predicates.append((self.predicate(predicate.condition), predicate.warning))
        }
        return predicates
    }

    /// Writes a condition as an object. A condition without such a form is written only as text, beside a predicate that is
    /// always true.
    private mutating func predicate(_ condition: Condition) -> PropertyListValue {
        knownPredicate(condition)
            ?? archive.add(
                ["NSTruePredicate", "NSPredicate"],
                fields: [ModelArchiveKey.predicateFormat: archive.add(.string(condition.format))])
    }

    private mutating func knownPredicate(_ condition: Condition) -> PropertyListValue? {
        switch condition {
        case .constant(let isTrue):
            return archive.add([isTrue ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"], fields: [:])
        case .comparison(let comparison):
            guard comparison.modifier == .direct, comparison.operation != .containsWords,
                let left = expression(comparison.left),
                let right = expression(comparison.right)
            else { return nil }
            return self.comparison(left, comparison.operation, right, comparison.options)
        case .not(let parts): return compound(type: 0, of: parts)
        case .and(let parts): return compound(type: 1, of: parts)
        case .or(let parts): return compound(type: 2, of: parts)
        }
    }

    private mutating func compound(type: Int64, of parts: Condition.Parts) -> PropertyListValue? {
        var predicates: [PropertyListValue] = []
        for part in parts {
            guard let predicate = knownPredicate(part) else { return nil }
            predicates.append(predicate)
        }
        return archive.add(
            ["NSCompoundPredicate", "NSPredicate"],
            fields: ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": archive.add(elements: predicates)])
    }

    private mutating func comparison(
        _ left: PropertyListValue, _ operation: Condition.Comparison.Operator, _ right: PropertyListValue,
        _ options: Condition.Comparison.Options = []
    ) -> PropertyListValue {
        let form = operation.archivedForm
        let options = PropertyListValue.integer(Int64(options.rawValue))
        var fields: [String: PropertyListValue] = ["NSOperatorType": .integer(form.type), "NSModifier": .integer(0)]
        switch form.name {
        case "NSEqualityPredicateOperator":
            fields["NSNegate"] = .bool(operation == .notEqual)
            fields["NSOptions"] = options
        case "NSComparisonPredicateOperator":
            fields["NSVariant"] = .integer(form.type)
            fields["NSOptions"] = options
        default: fields["NSFlags"] = options
        }
        let `operator` = archive.add([form.name, "NSPredicateOperator"], fields: fields)
        return archive.add(
            ["NSComparisonPredicate", "NSPredicate"],
            fields: ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": `operator`])
    }

    private mutating func expression(_ expression: ConditionExpression) -> PropertyListValue? {
        switch expression {
        case .object: return itself()
        case .keyPath(let path): return keyPath(path)
        case .value(let value):
            switch value {
            case .object, .dictionary: return nil
            case .list(let values): return self.expression(.list(values.map(ConditionExpression.value)))
            case .null: return constant(KeyedArchiveWriter.null)
            default: return constant(self.value(value, of: .undefined))
            }
        case .list(let elements):
            var parts: [PropertyListValue] = []
            for element in elements {
                guard let part = self.expression(element) else { return nil }
                parts.append(part)
            }
            return archive.add(
                ["NSAggregateExpression", "NSExpression"],
                fields: ["NSExpressionType": .integer(14), "NSCollection": archive.add(elements: parts)])
        default: return nil
        }
    }

    // MARK: Expressions

    private mutating func itself() -> PropertyListValue {
        archive.add(["NSSelfExpression", "NSExpression"], fields: ["NSExpressionType": .integer(1)])
    }

    private mutating func constant(_ value: PropertyListValue) -> PropertyListValue {
        archive.add(
            ["NSConstantValueExpression", "NSExpression"],
            fields: ["NSExpressionType": .integer(0), "NSConstantValue": value])
    }

    /// Writes a key path as a call on the object itself: `valueForKeyPath:` with the path's text.
    private mutating func keyPath(_ path: String) -> PropertyListValue {
        let specifier = archive.add(
            ["NSKeyPathSpecifierExpression", "NSExpression"],
            fields: ["NSExpressionType": .integer(10), "NSKeyPath": archive.add(.string(path))])
        let selector = path.contains(".") ? "valueForKeyPath:" : "valueForKey:"
        return archive.add(
            ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
            fields: [
                "NSExpressionType": .integer(3), "NSOperand": itself(),
                "NSSelectorName": archive.add(.string(selector)), "NSArguments": archive.add(elements: [specifier]),
            ])
    }

    /// Writes the source of a derived attribute: a path such as `photos.@count`, or a call such as `canonical:(name)`.
    mutating func expression(ofDerivation text: String) -> PropertyListValue {
        guard let parenthesis = text.firstIndex(of: "("), text.hasSuffix(")") else { return keyPath(text) }
        let argument = text[text.index(after: parenthesis)...].dropLast()
        let arguments = argument.isEmpty ? [] : [keyPath(String(argument))]
        return archive.add(
            ["NSFunctionExpression", "NSExpression"],
            fields: [
                "NSExpressionType": .integer(4), "NSOperand": predicateUtilities(),
                "NSSelectorName": archive.add(.string(String(text[..<parenthesis]))),
                "NSArguments": archive.add(elements: arguments),
            ])
    }

    /// Writes the class whose methods implement the functions.
    private mutating func predicateUtilities() -> PropertyListValue {
        archive.add(
            ["NSConstantValueExpression", "NSExpression"],
            fields: [
                "NSExpressionType": .integer(0),
                "NSConstantValueClassName": archive.add(.string("_NSPredicateUtilities")),
            ])
    }
}

extension Condition.Comparison.Operator {
    /// The class and the number of the operator in archives.
    var archivedForm: (name: String, type: Int64) {
        switch self {
        case .lessThan: ("NSComparisonPredicateOperator", 0)
        case .lessThanOrEqual: ("NSComparisonPredicateOperator", 1)
        case .greaterThan: ("NSComparisonPredicateOperator", 2)
        case .greaterThanOrEqual: ("NSComparisonPredicateOperator", 3)
        case .equal: ("NSEqualityPredicateOperator", 4)
        case .notEqual: ("NSEqualityPredicateOperator", 5)
        case .matches: ("NSMatchingPredicateOperator", 6)
        case .like: ("NSLikePredicateOperator", 7)
        case .beginsWith: ("NSSubstringPredicateOperator", 8)
        case .endsWith: ("NSSubstringPredicateOperator", 9)
        case .isIn: ("NSInPredicateOperator", 10)
        case .contains: ("NSInPredicateOperator", 99)
        case .between: ("NSBetweenPredicateOperator", 100)
        // Of no archive: `predicate` leaves it out.
        case .containsWords: ("", -1)
        }
    }
}
