/// **Value.** How a fetch is answered, and what would make it faster: the answer of `explain`.
///
///     print(try World.explain(Person.self, %"location" == "Taipei" && %"age" >= 18))
///     // SELECT t0.Z_PK, t0.Z_OPT, t0.ZAGE, … FROM ZPERSON t0 WHERE t0.ZLOCATION = ? AND t0.ZAGE >= ?
///     // - SCAN t0
///     // Every Person is looked at. An index would help: #Index<Person>([\.location, \.age])
///
/// The fetch does not run. The text is for people: it changes with the database's version.
public struct FetchExplanation: Sendable, Hashable {
    /// The entity that is fetched.
    public let entityName: String
    /// What each store does that has the entity; mostly one.
    public let plans: [FetchPlan]
    /// How many unsaved changes of the entity are laid over what the stores answer.
    public let unsavedChanges: Int
    /// The index that would serve the fetch; nil if it is served, or if no index could serve it.
    public let suggestedIndex: FetchIndexDescription?

    /// The statement of the first store that has one.
    public var statement: String? { plans.lazy.compactMap(\.statement).first }

    /// Whether an index finds the objects and gives the order, as far as either is asked for.
    public var isServedByIndex: Bool {
        !plans.isEmpty && plans.allSatisfy { !$0.indexNames.isEmpty && !$0.readsEveryObject && !$0.sortsResults }
    }

    /// The suggested index as the class of the entity would declare it; nil without a suggestion.
    public var suggestedDeclaration: String? {
        guard let names = suggestedIndex?.elements.compactMap(\.propertyName) else { return nil }
        return "#Index<\(entityName)>([\(names.map { "\\.\($0)" }.joined(separator: ", "))])"
    }
}

extension FetchExplanation: CustomStringConvertible {
    /// Everything, in lines for a console.
    public var description: String {
        var lines = plans.map(\.description)
        if plans.contains(where: \.readsEveryObject) { lines.append("Every \(entityName) is looked at.") }
        if plans.contains(where: \.sortsResults) { lines.append("The results are sorted after they were found.") }
        if isServedByIndex { lines.append("An index serves it.") }
        if unsavedChanges > 0 { lines.append("\(unsavedChanges) unsaved changes are laid over the answer.") }
        if let declaration = suggestedDeclaration { lines.append("An index would help: \(declaration)") }
        return lines.joined(separator: "\n")
    }
}
