import Foundation

/// Returns conditions and expressions of an archive as text in Core Data's format language, or `nil` if they cannot be
/// written as text.
///
/// ```
/// NSComparisonPredicate  NSLeftExpression NSRightExpression NSPredicateOperator: { NSOperatorType NSModifier NSOptions }
/// NSCompoundPredicate    NSCompoundPredicateType: 0 NOT, 1 AND, 2 OR   NSSubpredicates
/// NS…Expression          NSExpressionType: 0 constant, 1 SELF, 2 variable, 3 key path, 4 function, 10 part of a path,
///                        14 list
/// ```
extension ModelArchiveReader {
    private static let operators = Dictionary(
        uniqueKeysWithValues: Condition.Comparison.Operator.allCases.map { (Int($0.archivedForm.type), $0.symbol) })
    private static let arithmetic: [String: String] = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    ]
    private static let maximumDepth = 50

    mutating func format(ofPredicate value: KeyedArchiveValue, depth: Int = 0) throws -> String? {
        guard depth < Self.maximumDepth else { throw KeyedArchiveError(.tooDeep) }
        guard let predicate = value.object else { return nil }
        switch predicate.className {
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        case "NSComparisonPredicate": return try format(ofComparison: predicate, depth: depth)
        case "NSCompoundPredicate": return try format(ofCompound: predicate, depth: depth)
        default: return nil
        }
    }

    private mutating func format(ofComparison predicate: KeyedArchiveObject, depth: Int) throws -> String? {
        guard let left = try expression(of: predicate, "NSLeftExpression", depth: depth),
            let right = try expression(of: predicate, "NSRightExpression", depth: depth),
            let comparison = try archive.value(of: predicate, "NSPredicateOperator").object,
            let symbol = Self.operators[comparison.integer("NSOperatorType") ?? -1],
            let modifier = [0: "", 1: "ALL ", 2: "ANY "][comparison.integer("NSModifier") ?? 0]
        else { return nil }
        let options = comparison.integer("NSOptions") ?? comparison.integer("NSFlags") ?? 0
        let letters = (options & 1 != 0 ? "c" : "") + (options & 2 != 0 ? "d" : "")
        return "\(modifier)\(left) \(symbol)\(letters.isEmpty ? "" : "[\(letters)]") \(right)"
    }

    private mutating func format(ofCompound predicate: KeyedArchiveObject, depth: Int) throws -> String? {
        var parts: [String] = []
        for part in try archive.array(archive.value(of: predicate, "NSSubpredicates")) ?? [] {
            guard let text = try format(ofPredicate: part, depth: depth + 1) else { return nil }
            parts.append(part.object?.className == "NSCompoundPredicate" ? "(\(text))" : text)
        }
        switch predicate.integer("NSCompoundPredicateType") {
        case 0: return parts.count == 1 ? "NOT \(parts[0])" : nil
        case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
        case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
        default: return nil
        }
    }

    // MARK: Expressions

    private mutating func expression(of object: KeyedArchiveObject, _ key: String, depth: Int) throws -> String? {
        try format(ofExpression: archive.value(of: object, key), depth: depth + 1)
    }

    mutating func format(ofExpression value: KeyedArchiveValue, depth: Int = 0) throws -> String? {
        guard depth < Self.maximumDepth else { throw KeyedArchiveError(.tooDeep) }
        guard let expression = value.object else { return nil }
        switch expression.integer("NSExpressionType") {
        case 0: return try format(ofConstant: archive.value(of: expression, "NSConstantValue"), depth: depth)
        case 1: return "SELF"
        case 2:
            let name = try archive.string(of: expression, "NSVariable")
            try archive.takeSteps(for: name ?? "")
            return name.map { "$\($0)" }
        case 3, 4, 10:
            if let path = try archive.string(of: expression, "NSKeyPath") {
                try archive.takeSteps(for: path)
                return path
            }
            return try format(ofFunction: expression, depth: depth)
        case 14:
            return try list(archive.array(archive.value(of: expression, "NSCollection")), depth: depth).map {
                "{\($0)}"
            }
        default: return nil
        }
    }

    private mutating func format(ofFunction expression: KeyedArchiveObject, depth: Int) throws -> String? {
        guard let selector = try archive.string(of: expression, "NSSelectorName") else { return nil }
        try archive.takeSteps(for: selector)
        let parts = try archive.array(archive.value(of: expression, "NSArguments")) ?? []
        var arguments: [String] = []
        for part in parts {
            guard let text = try format(ofExpression: part, depth: depth + 1) else { return nil }
            arguments.append(text)
        }
        if selector == "valueForKeyPath:" || selector == "valueForKey:" {
            guard arguments.count == 1, let operand = try self.expression(of: expression, "NSOperand", depth: depth)
            else {
                return nil
            }
            return operand == "SELF" ? arguments[0] : "\(operand).\(arguments[0])"
        }
        if let symbol = Self.arithmetic[selector], arguments.count == 2 {
            return "(\(arguments[0]) \(symbol) \(arguments[1]))"
        }
        return "\(selector)(\(arguments.joined(separator: ", ")))"
    }

    private mutating func list(_ values: [KeyedArchiveValue]?, depth: Int) throws -> String? {
        guard let values else { return nil }
        var parts: [String] = []
        for value in values {
            let isExpression = value.object?.isKind(of: "NSExpression") == true
            let text =
                isExpression
                ? try format(ofExpression: value, depth: depth + 1) : try format(ofConstant: value, depth: depth + 1)
            guard let text else { return nil }
            parts.append(text)
        }
        return parts.joined(separator: ", ")
    }

    private mutating func format(ofConstant value: KeyedArchiveValue, depth: Int) throws -> String? {
        guard depth < Self.maximumDepth else { throw KeyedArchiveError(.tooDeep) }
        if let text = try archive.string(value) {
            try archive.takeSteps(for: text)
            return FormatName.quoted(text)
        }
        if let date = try archive.date(value) {
            return "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
        }
        switch value {
        case .null: return "nil"
        case .plain(.bool(let flag)): return flag ? "TRUE" : "FALSE"
        case .plain(.integer(let number)): return "\(number)"
        case .plain(.real(let number)): return "\(number)"
        case .plain: return nil
        case .object:
            if let number = try archive.decimal(value) { return "\(number)" }
            return try list(archive.array(value), depth: depth).map { "{\($0)}" }
        }
    }
}
