/// **Value.** A store's plan for answering a fetch.
public struct FetchPlan: Sendable, Hashable {
    /// The statement, with a `?` for each constant, or `nil` for a store without statements.
    public package(set) var statement: String?
    /// The constants of the statement in order, if requested.
    public package(set) var constants: [ManagedValue]?
    /// The steps that the store takes, in its own words.
    public package(set) var steps: [String] = []
    /// The names of the indexes that the store uses.
    public package(set) var indexNames: [String] = []
    /// A Boolean value indicating whether the store looks at every object of the entity, without an index.
    public package(set) var readsEveryObject = false
    /// A Boolean value indicating whether the store sorts the results after finding all of them.
    public package(set) var sortsResults = false

    package init() {}
}

extension FetchPlan: CustomStringConvertible {
    /// The statement and the steps, one on each line.
    public var description: String {
        var lines: [String] = []
        if let statement { lines.append(statement) }
        if let constants, !constants.isEmpty {
            lines.append("constants: \(constants.map { "\($0)" }.joined(separator: ", "))")
        }
        lines += steps.map { "- \($0)" }
        return lines.joined(separator: "\n")
    }
}
