public import Foundation

extension Condition {
    /// Creates the condition that a Foundation predicate describes.
    ///
    ///     try Condition(#Predicate<Person> { $0.age >= 18 && $0.friends.contains { $0.location == "Taipei" } })
    ///
    /// The condition is true of the same objects as the predicate, with these exceptions: text is compared by its Unicode
    /// scalars, so `é` as one scalar is not `é` as two; arithmetic that would trap yields `nil`, and so does `!` of `nil`,
    /// for which every ordering comparison is false.
    ///
    /// - Throws: ``FetchError`` with the code `unsupportedCondition` for a part that no condition can express, naming the
    ///   part and an alternative; `unknownKey` for a key path that is not a persistent property.
    public init<Object: ManagedObject>(_ predicate: Foundation.Predicate<Object>) throws(FetchError) {
        let translator = PredicateTranslator(variables: [predicate.variable.key: .object(.object)])
        self = try translator.condition(predicate.expression)
    }
}
