import Foundation

/// **Value.** Translates the parts of a Foundation predicate into parts of conditions. It holds the meaning of the
/// predicate's variables at the current part.
struct PredicateTranslator {
    /// The meaning of each closure's parameter.
    var variables: [PredicateExpressions.VariableID: TranslatedPart]
    /// The number of enclosing closures over to-manys, from which each closure's object gets its name.
    var depth = 0
    /// The number of enclosing parts.
    private var level = 0

    init(variables: [PredicateExpressions.VariableID: TranslatedPart]) { self.variables = variables }

    /// Returns the translation of a part of a predicate.
    func part(_ expression: any PredicateExpression) throws(FetchError) -> TranslatedPart {
        guard level < Condition.maximumDepth else {
            throw FetchError(
                .invalidRequest,
                """
                The predicate is nested more than \(Condition.maximumDepth) levels deep. Join its parts in a flat list.
                """)
        }
        guard let translatable = expression as? any TranslatableExpression else {
            throw .untranslatable(
                expression, remedy: "Use a format string, `.Where(…)`, or fetch more objects and filter them.")
        }
        var deeper = self
        deeper.level += 1
        return try translatable.translated(by: deeper)
    }

    /// Returns the translation of a part that is true or false.
    func condition(_ expression: any PredicateExpression) throws(FetchError) -> Condition {
        guard let condition = try part(expression).condition else {
            throw .untranslatable(expression, remedy: "It is not a Boolean value.")
        }
        return condition
    }

    /// Returns the translation of a part that is a value.
    func value(_ expression: any PredicateExpression) throws(FetchError) -> ConditionExpression {
        guard let value = try part(expression).value else {
            throw .untranslatable(expression, remedy: "It is not a value that a store can compare.")
        }
        return value
    }

    /// Returns a translator in which a variable has a meaning.
    func binding(_ variable: PredicateExpressions.VariableID, to part: TranslatedPart) -> PredicateTranslator {
        var bound = self
        bound.variables[variable] = part
        return bound
    }
}

/// A kind of part of Foundation predicates that conditions can express.
protocol TranslatableExpression: PredicateExpression {
    /// Returns the part's translation.
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart
}

extension FetchError {
    /// Returns the error for a part of a predicate that no condition can express.
    static func untranslatable(_ expression: any PredicateExpression, remedy: String) -> FetchError {
        let name = "\(type(of: expression))".prefix { $0 != "<" }
        return FetchError(
            .unsupportedCondition, "The predicate's \(name) cannot be translated for a store. \(remedy)")
    }
}
