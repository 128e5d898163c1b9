import DataMonkCore

extension ModelArchiveWriter {
    private enum Operator {
        static let atMost: Int64 = 1
        static let atLeast: Int64 = 3
        static let matches: Int64 = 6
    }

    /// The bounds of an attribute as the predicates that Core Data has for them.
    mutating func validationPredicates(of attribute: AttributeDescription) -> [PropertyListValue] {
        let isText = attribute.type == .string
        let type = isText ? AttributeType.integer64 : attribute.type
        var predicates: [PropertyListValue] = []
        for (bound, operation) in [(attribute.minimum, Operator.atLeast), (attribute.maximum, Operator.atMost)] {
            guard !bound.isNull else { continue }
            let left = isText ? keyPath("length") : itself()
            predicates.append(comparison(left, operation, constant(value(bound, type))))
        }
        if let pattern = attribute.regularExpression {
            predicates.append(comparison(itself(), Operator.matches, constant(archive.add(.string(pattern)))))
        }
        return predicates
    }

    private mutating func comparison(
        _ left: PropertyListValue, _ operation: Int64, _ right: PropertyListValue
    ) -> PropertyListValue {
        let name = operation == Operator.matches ? "NSMatchingPredicateOperator" : "NSComparisonPredicateOperator"
        let `operator` = archive.add(
            [name, "NSPredicateOperator"], ["NSOperatorType": .integer(operation), "NSModifier": .integer(0)])
        return archive.add(
            ["NSComparisonPredicate", "NSPredicate"],
            ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": `operator`])
    }

    // MARK: Expressions

    private mutating func itself() -> PropertyListValue {
        archive.add(["NSSelfExpression", "NSExpression"], ["NSExpressionType": .integer(1)])
    }

    private mutating func constant(_ value: PropertyListValue) -> PropertyListValue {
        archive.add(
            ["NSConstantValueExpression", "NSExpression"], ["NSExpressionType": .integer(0), "NSConstantValue": value])
    }

    /// A key path is a call on the object itself: `valueForKeyPath:` with the path's text.
    private mutating func keyPath(_ path: String) -> PropertyListValue {
        let specifier = archive.add(
            ["NSKeyPathSpecifierExpression", "NSExpression"],
            ["NSExpressionType": .integer(10), "NSKeyPath": archive.add(.string(path))])
        let selector = path.contains(".") ? "valueForKeyPath:" : "valueForKey:"
        return archive.add(
            ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
            [
                "NSExpressionType": .integer(3), "NSOperand": itself(),
                "NSSelectorName": archive.add(.string(selector)), "NSArguments": archive.add(elements: [specifier]),
            ])
    }

    /// What a derived attribute is computed from: a path such as `photos.@count`, or a call such as `canonical:(name)`.
    mutating func expression(ofDerivation text: String) -> PropertyListValue {
        guard let parenthesis = text.firstIndex(of: "("), text.hasSuffix(")") else { return keyPath(text) }
        let argument = text[text.index(after: parenthesis)...].dropLast()
        let arguments = argument.isEmpty ? [] : [keyPath(String(argument))]
        return archive.add(
            ["NSFunctionExpression", "NSExpression"],
            [
                "NSExpressionType": .integer(4), "NSOperand": constant(archive.add(.string("_NSPredicateUtilities"))),
                "NSSelectorName": archive.add(.string(String(text[..<parenthesis]))),
                "NSArguments": archive.add(elements: arguments),
            ])
    }
}
