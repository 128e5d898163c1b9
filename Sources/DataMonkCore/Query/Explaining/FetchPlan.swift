/// **Value.** How one store answers a fetch.
public struct FetchPlan: Sendable, Hashable {
    /// The statement, with a `?` for each constant; nil for a store without statements.
    public package(set) var statement: String?
    /// The constants of the statement in their order, if they were asked for.
    public package(set) var constants: [ManagedValue]?
    /// What the store does, step by step, in its own words.
    public package(set) var steps: [String] = []
    /// The names of the indexes it uses.
    public package(set) var indexNames: [String] = []
    /// Whether it looks at every object of the entity, without an index.
    public package(set) var readsEveryObject = false
    /// Whether it puts the results in order after it has found all of them.
    public package(set) var sortsResults = false

    package init() {}
}

extension FetchPlan: CustomStringConvertible {
    /// The statement and the steps, a line each.
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
