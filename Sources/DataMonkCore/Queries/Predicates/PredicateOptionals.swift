import Foundation

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let subject = try translator.part(wrapped)
        guard let isPresent = subject.isPresent else {
            throw .untranslatable(self, remedy: "Its subject is never nil.")
        }
        if case .constant(let value) = subject, TranslatedPart.isNil(value) { return .value(.value(.null)) }
        let result = try translator.binding(variable.key, to: subject.unwrapped).part(transform)
        switch result {
        case .condition(let condition): return .optionalCondition(condition, isPresent: isPresent)
        case .optionalCondition(let condition, let present):
            return .optionalCondition(condition, isPresent: isPresent.and(present))
        case .object(let path), .value(let path):
            // A path that continues after `nil` is `nil` by itself.
            if let start = subject.value, path.isStep(of: start) { return result }
        default: break
        }
        guard let value = result.value else {
            throw .untranslatable(self, remedy: "For an optional object, ask for a value or a Boolean value.")
        }
        return .value(.conditional(isPresent, then: value, else: .value(.null)))
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        let subject = try translator.part(lhs)
        if case .optionalCondition(let condition, let isPresent) = subject {
            let otherwise = try translator.condition(rhs)
            return .condition(isPresent.and(condition).or(isPresent.negated.and(otherwise)))
        }
        guard let value = subject.value, let isPresent = subject.isPresent else {
            throw .untranslatable(self, remedy: "`??` requires an optional value.")
        }
        if case .object = subject {
            throw .untranslatable(self, remedy: "Ask for a value of the object, as in `$0.friend?.age ?? 0`.")
        }
        return .value(.conditional(isPresent, then: value, else: try translator.value(rhs)))
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        try translator.part(inner).unwrapped
    }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard Input.Output.self == Desired.self || Input.Output.self == Desired?.self else {
            throw .untranslatable(self, remedy: .castRemedy(Desired.self))
        }
        return try translator.part(input)
    }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard Input.Output.self == Desired.self else { throw .untranslatable(self, remedy: .castRemedy(Desired.self)) }
        return try translator.part(input)
    }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard Input.Output.self == Desired.self else { throw .untranslatable(self, remedy: .castRemedy(Desired.self)) }
        return .condition(.constant(true))
    }
}

extension String {
    fileprivate static func castRemedy(_ type: Any.Type) -> String {
        "Fetch objects of that class: `fetchAll(\(type).self, …)`."
    }
}

extension TranslatedPart {
    /// The part without its optionality.
    fileprivate var unwrapped: TranslatedPart {
        switch self {
        case .optionalCondition(let condition, _): .condition(condition)
        case .constant(let value):
            // A constant with a value is replaced by that value; one without stays `nil`.
            .constant(
                Mirror(reflecting: value).displayStyle == .optional
                    ? Mirror(reflecting: value).children.first?.value ?? value : value)
        default: self
        }
    }
}

extension ConditionExpression {
    /// Returns `true` if this expression equals `start`, or is a path that continues it to a single value.
    fileprivate func isStep(of start: ConditionExpression) -> Bool {
        if self == start { return true }
        switch (self, start) {
        case (.keyPath(let path), .keyPath(let first)): return path.isStep(of: first)
        case (.path(let object, let path), .path(let other, let first)):
            return object == other && path.isStep(of: first)
        case (.path(let object, let path), _): return object == start && !path.contains("@")
        default: return false
        }
    }
}

extension String {
    fileprivate func isStep(of path: String) -> Bool { hasPrefix(path + ".") && !contains("@") }
}
