/// **Value.** An explanation of how a fetch is answered, and of an index that would make it faster: the result of
/// `explain`.
///
///     print(try World.explain(Person.self, %"location" == "Taipei" && %"age" >= 18))
///     // SELECT t0.Z_PK, t0.Z_OPT, t0.ZAGE, … FROM ZPERSON t0 WHERE t0.ZLOCATION = ? AND t0.ZAGE >= ?
///     // - SCAN t0
///     // Every Person is examined.
///     // An index would help: #Index<Person>([\.location, \.age])
///
/// The fetch does not run. The text is meant for people, and changes with the database's version.
public struct FetchExplanation: Sendable, Hashable {
    /// The name of the fetched entity.
    public let entityName: String
    /// The plan of each store that contains the entity; usually one.
    public let plans: [FetchPlan]
    /// The number of unsaved changes of the entity that are applied to the stores' results.
    public let unsavedChanges: Int
    /// The index that would serve the fetch, or `nil` if an index already serves it or none could.
    public let suggestedIndex: FetchIndexDescription?

    /// The statement of the first store that has one.
    public var statement: String? { plans.lazy.compactMap(\.statement).first }

    /// A Boolean value indicating whether an index finds the objects and provides the order, as far as the fetch asks for
    /// either.
    public var isServedByIndex: Bool {
        !plans.isEmpty && plans.allSatisfy { !$0.indexNames.isEmpty && !$0.readsEveryObject && !$0.sortsResults }
    }

    /// The declaration of the suggested index for the entity's class, or `nil` without a suggestion.
    public var suggestedDeclaration: String? {
        guard let names = suggestedIndex?.elements.compactMap(\.propertyName) else { return nil }
        return "#Index<\(entityName)>([\(names.map { "\\.\($0)" }.joined(separator: ", "))])"
    }
}

extension FetchExplanation: CustomStringConvertible {
    /// The full explanation, in lines for a console.
    public var description: String {
        var lines = plans.map(\.description)
        if plans.contains(where: \.readsEveryObject) { lines.append("Every \(entityName) is examined.") }
        if plans.contains(where: \.sortsResults) { lines.append("The results are sorted after they have been found.") }
        if isServedByIndex { lines.append("An index is used.") }
        if unsavedChanges > 0 { lines.append("\(unsavedChanges) unsaved changes are merged into the result.") }
        if let declaration = suggestedDeclaration { lines.append("An index would help: \(declaration)") }
        return lines.joined(separator: "\n")
    }
}
