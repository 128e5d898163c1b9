import DataMonkCore

/// **Value.** One SELECT under construction: its FROM clause, which grows as paths need joins.
struct QueryScope {
    /// The alias of the objects that it looks at.
    var alias: String
    /// The clause so far, with a space in front.
    var from: String
    /// What was joined: the to-one `relationship` of `alias` is at `joined`.
    var joins: [(alias: String, relationship: Entity.Relationship, joined: String)] = []

    /// Elements of ordered collections that were joined, with their aliases.
    var elements: [ResolvedElement: String] = [:]

    /// The alias at which a relationship's destination is joined already.
    func joined(_ relationship: Entity.Relationship, of alias: String) -> String? {
        joins.first { $0.relationship === relationship && $0.alias == alias }?.joined
    }
}
