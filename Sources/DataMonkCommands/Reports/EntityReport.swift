import DataMonkSQLite

/// **Value.** The report on an entity by `inspect`.
package struct EntityReport: Sendable, Hashable {
    package var name: String
    /// The entity number in rows.
    package var number: Int
    package var superentityName: String?
    /// The number of superentities above it.
    package var depth: Int
    package var isAbstract: Bool
    /// The number of objects of this very entity; `nil` if it cannot be determined without a model.
    package var ownCount: Int?
    /// The number of objects, including those of sub-entities.
    package var count: Int?
}

extension EntityReport {
    /// Creates the report on an entity in a store without a model.
    init(_ facts: EntityFacts) {
        self.init(
            name: facts.name, number: facts.number, superentityName: nil, depth: facts.superNumber == 0 ? 0 : 1,
            isAbstract: false, ownCount: facts.rowCount, count: nil)
    }
}
