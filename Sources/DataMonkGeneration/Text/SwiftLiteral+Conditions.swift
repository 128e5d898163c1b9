import DataMonkCore

extension SwiftLiteral {
    /// Returns a call with a condition on a value and its warning, or `nil` if code cannot express the condition.
    func validation(_ function: String, _ predicate: ValidationPredicate) -> String? {
        condition(predicate.condition).map {
            Self.call(function, [$0, "warning: \(Self.text(predicate.warning))"])
        }
    }

    private func condition(_ condition: Condition) -> String? {
        switch condition {
        case .constant(let flag): ".constant(\(flag))"
        case .comparison(let comparison): self.comparison(comparison)
        case .and(let parts): joined(".and", parts)
        case .or(let parts): joined(".or", parts)
        case .not(let parts): parts.first.flatMap { self.condition($0) }.map { Self.call(".not", [$0]) }
        }
    }

    private func joined(_ function: String, _ parts: Condition.Parts) -> String? {
        let elements = parts.compactMap { condition($0) }
        return elements.count == parts.count ? "\(function)(\(Self.lines(elements)))" : nil
    }

    private func comparison(_ comparison: Condition.Comparison) -> String? {
        guard let left = expression(comparison.left), let right = expression(comparison.right) else { return nil }
        var arguments = [left, ".\(comparison.operation)", right]
        if comparison.modifier != .direct { arguments.append("modifier: .\(comparison.modifier)") }
        var options: [String] = []
        if comparison.options.contains(.caseInsensitive) { options.append(".caseInsensitive") }
        if comparison.options.contains(.diacriticInsensitive) { options.append(".diacriticInsensitive") }
        if !options.isEmpty { arguments.append("options: \(Self.list(options))") }
        return Self.call(".comparison", [Self.call(".init", arguments)])
    }

    private func expression(_ expression: ConditionExpression) -> String? {
        switch expression {
        case .object: ".object"
        case .keyPath(let path): ".keyPath(\(Self.literal(path)))"
        case .value(let value): managedValue(value).map { Self.call(".value", [$0]) }
        case .variable, .path, .list, .function, .element, .subquery, .conditional: nil
        }
    }
}
