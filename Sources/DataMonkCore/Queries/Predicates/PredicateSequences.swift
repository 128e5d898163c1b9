import Foundation

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let all = try translator.part(sequence)
        if let range = all.range { return .condition(range.contains(try translator.value(element))) }
        let one = try translator.value(element)
        switch all {
        case .collection(let path, let variable, let condition?):
            let same = Condition.comparison(.init(.variable(variable), .equal, one))
            return .condition(.any(path, variable: variable, satisfying: condition.and(same)))
        case .collection(let path, _, nil): return .condition(.comparison(.init(path, .contains, one)))
        case .constant(let value):
            if value is String { return .condition(.text(try translator.value(sequence), by: .contains, with: one)) }
            guard let list = all.value, case .value(.list) = list else { break }
            return .condition(.comparison(.init(one, .isIn, list)))
        case .value(let text) where LHS.Output.self == String.self:
            return .condition(.text(text, by: .contains, with: one))
        default: break
        }
        throw .untranslatable(
            self,
            remedy: "Only a to-many relationship, a string, or a list of values of an attribute's type can be searched."
        )
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        switch try translator.part(sequence) {
        case .collection(let path, let name, let condition):
            let (inner, name) = translator.inside(variable.key, name: name, condition: condition)
            let found = try inner.condition(test)
            return .condition(.any(path, variable: name, satisfying: condition?.and(found) ?? found))
        case .constant(let value):
            return .condition(.or(try translator.each(of: value, variable: variable.key, test: test, in: self)))
        default: throw .untranslatable(self, remedy: "Only a to-many relationship or a list can be searched.")
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        switch try translator.part(sequence) {
        case .collection(let path, let name, let condition):
            let (inner, name) = translator.inside(variable.key, name: name, condition: condition)
            let failing = try inner.condition(test).negated
            return .condition(.any(path, variable: name, satisfying: condition?.and(failing) ?? failing).negated)
        case .constant(let value):
            return .condition(.and(try translator.each(of: value, variable: variable.key, test: test, in: self)))
        default: throw .untranslatable(self, remedy: "Only a to-many relationship or a list can be searched.")
        }
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard case .collection(let path, let name, let condition) = try translator.part(sequence) else {
            throw .untranslatable(self, remedy: "Only a to-many relationship can be filtered.")
        }
        let (inner, newName) = translator.inside(variable.key, name: name, condition: condition)
        let further = try inner.condition(filter)
        return .collection(path, variable: newName, condition?.and(further) ?? further)
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard Base.Output.self == String.self else {
            throw .untranslatable(self, remedy: "Only strings can be searched.")
        }
        return .condition(.text(try translator.value(base), by: .contains, with: try translator.value(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard Base.Output.self == String.self else {
            throw .untranslatable(self, remedy: "Only strings can be searched.")
        }
        return .condition(.text(try translator.value(base), by: .beginsWith, with: try translator.value(prefix)))
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        throw .untranslatable(
            self, remedy: "Use a format string with MATCHES instead: `.Where(\"name MATCHES %@\", …)`.")
    }
}

extension PredicateTranslator {
    /// Returns the translator for a closure over a to-many, and the name of the closure's object: an existing name, or a
    /// new one.
    fileprivate func inside(
        _ variable: PredicateExpressions.VariableID, name: String, condition: Condition?
    ) -> (PredicateTranslator, String) {
        let name = condition == nil ? "member\(depth)" : name
        var inside = binding(variable, to: .object(.variable(name)))
        inside.depth += 1
        return (inside, name)
    }

    /// Returns the condition that a closure states for each element of a list.
    fileprivate func each(
        of list: Any, variable: PredicateExpressions.VariableID, test: any PredicateExpression,
        in whole: any PredicateExpression
    ) throws(FetchError) -> [Condition] {
        guard let list = list as? any Sequence else {
            throw .untranslatable(whole, remedy: "Only a to-many relationship or a list can be searched.")
        }
        return try Self.elements(list).map { element throws(FetchError) in
            try binding(variable, to: .constant(element)).condition(test)
        }
    }

    private static func elements(_ list: some Sequence) -> [Any] { list.map { $0 } }
}

extension Condition {
    /// Returns the condition that at least one object of a collection satisfies another condition.
    fileprivate static func any(
        _ path: ConditionExpression, variable: String, satisfying condition: Condition
    ) -> Condition {
        .comparison(.init(.counting(path, variable: variable, satisfying: condition), .greaterThan, .value(0)))
    }

    /// Returns the condition that a text contains another text, or starts with it. In Swift every text contains and starts
    /// with the empty text; for the operator none does.
    fileprivate static func text(
        _ text: ConditionExpression, by operation: Comparison.Operator, with other: ConditionExpression
    ) -> Condition {
        let plain = Condition.comparison(.init(text, operation, other))
        let isThere = Condition.comparison(.init(text, .notEqual, .value(.null)))
        switch other {
        case .value(.string("")): return isThere
        case .value: return plain
        default: return plain.or(isThere.and(.comparison(.init(other, .equal, .value("")))))
        }
    }
}
