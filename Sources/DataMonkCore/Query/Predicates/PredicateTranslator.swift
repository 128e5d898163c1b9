import Foundation

/// **Value.** Turns the parts of a predicate of Foundation's into parts of conditions. It holds what the predicate's
/// variables stand for at the place it has come to.
struct PredicateTranslator {
    /// What each closure's parameter stands for.
    var variables: [PredicateExpressions.VariableID: TranslatedPart]
    /// How many closures over to-manys are around: each names its object after it.
    var depth = 0
    /// How many parts are around.
    private var level = 0

    init(variables: [PredicateExpressions.VariableID: TranslatedPart]) { self.variables = variables }

    /// Deeper predicates are refused, as deeper conditions are.
    private static let maximumLevel = 500

    /// What a part of a predicate says.
    func part(_ expression: any PredicateExpression) throws(FetchError) -> TranslatedPart {
        guard level < Self.maximumLevel else {
            throw FetchError(
                .invalidRequest,
                "The predicate is nested more than \(Self.maximumLevel) levels deep: join its parts flatly.")
        }
        guard let translatable = expression as? any TranslatableExpression else {
            throw .untranslatable(expression, "Say it with a format string, `.Where(…)`, or fetch more and filter.")
        }
        var deeper = self
        deeper.level += 1
        return try translatable.translated(by: deeper)
    }

    /// What a part says that is true or false.
    func condition(_ expression: any PredicateExpression) throws(FetchError) -> Condition {
        guard let condition = try part(expression).condition else {
            throw .untranslatable(expression, "It is neither true nor false.")
        }
        return condition
    }

    /// What a part says that is a value.
    func value(_ expression: any PredicateExpression) throws(FetchError) -> ConditionExpression {
        guard let value = try part(expression).value else {
            throw .untranslatable(expression, "It is no value that a store could compare.")
        }
        return value
    }

    /// The same with a variable standing for something.
    func binding(_ variable: PredicateExpressions.VariableID, to part: TranslatedPart) -> PredicateTranslator {
        var bound = self
        bound.variables[variable] = part
        return bound
    }
}

/// A kind of part that predicates of Foundation's are made of, and that conditions have words for.
protocol TranslatableExpression: PredicateExpression {
    /// What it says in a condition.
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart
}

extension FetchError {
    /// A predicate has a part that no condition can say.
    static func untranslatable(_ expression: any PredicateExpression, _ remedy: String) -> FetchError {
        let name = "\(type(of: expression))".prefix { $0 != "<" }
        return FetchError(
            .unsupportedCondition, "The predicate's \(name) cannot be asked of a store. \(remedy)")
    }
}
