import DataMonkCore

/// **Value.** One SELECT under construction, with a FROM clause that grows as paths need joins.
struct QueryScope {
    /// The alias of the selected objects.
    var alias: String
    /// The clause so far, with a leading space.
    var from: String
    /// The number of tables in the clause.
    var tables = 1
    /// The joins so far: the destination of the to-one `relationship` of `alias` has the alias `joined`.
    var joins: [(alias: String, relationship: Entity.Relationship, joined: String)] = []

    /// The joined elements of ordered collections, with their aliases.
    var elements: [ResolvedElement: String] = [:]

    /// Returns the alias of a relationship's destination if it is already joined.
    func joined(_ relationship: Entity.Relationship, of alias: String) -> String? {
        joins.first { $0.relationship === relationship && $0.alias == alias }?.joined
    }
}
