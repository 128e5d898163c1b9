import DataMonkSQLite

/// **Value.** What `inspect` says of an entity.
package struct EntityReport: Sendable, Hashable {
    package var name: String
    /// The number that rows of it carry.
    package var number: Int
    package var superentityName: String?
    /// How many entities are above it.
    package var depth: Int
    package var isAbstract: Bool
    /// How many objects are of this very entity; nil if it cannot be told without a model.
    package var ownCount: Int?
    /// How many objects it has together with its sub-entities.
    package var count: Int?
}

extension EntityReport {
    /// An entity of a store without a model.
    init(_ facts: EntityFacts) {
        self.init(
            name: facts.name, number: facts.number, superentityName: nil, depth: facts.superNumber == 0 ? 0 : 1,
            isAbstract: false, ownCount: facts.rowCount, count: nil)
    }
}
