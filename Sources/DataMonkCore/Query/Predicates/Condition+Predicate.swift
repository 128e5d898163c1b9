public import Foundation

extension Condition {
    /// The condition that a predicate of Foundation's describes.
    ///
    ///     try Condition(#Predicate<Person> { $0.age >= 18 && $0.friends.contains { $0.location == "Taipei" } })
    ///
    /// What it is true of is what the predicate is true of, with these exceptions: text is compared by its Unicode scalars,
    /// so `é` as one scalar is not `é` as two; arithmetic that would trap gives nil, and so does `!` of nil, with which
    /// every order is false.
    ///
    /// - Throws: ``FetchError`` with the code `unsupportedCondition` for what no condition can say, naming the part of the
    ///   predicate and what to write instead; `unknownKey` for a key path that is no persistent property.
    public init<Object: ManagedObject>(_ predicate: Foundation.Predicate<Object>) throws(FetchError) {
        let translator = PredicateTranslator(variables: [predicate.variable.key: .object(.object)])
        self = try translator.condition(predicate.expression)
    }
}
