package import DataMonkCore

/// **Value.** The meaning of the columns of a SELECT for whole rows, and their destinations in a row.
///
/// ```
/// column   0     1       2       3 …
///          Z_PK  Z_ENT   Z_OPT   the fetched entity's own and inherited properties in slot order, then those that its
///                                sub-entities add, sub-entity after sub-entity
/// ```
/// `Z_ENT` is present only if the table contains several entities. A to-one takes one column, or two if its destination has
/// sub-entities: the key, then the entity number. To-manys and transient properties take none.
package struct RowPlan: Sendable {
    /// The columns of the keys.
    package let key: KeyPlan
    /// The position of the version, `Z_OPT`.
    package let versionColumn: Int
    /// The columns of each entity, by the position of the entity among `key.entities`.
    package let entities: [EntityPlan]
    /// The columns after the version, in order.
    let names: [String]

    /// The number of columns in a row, which is the position of the first column that a statement adds.
    package var columnCount: Int { versionColumn + 1 + names.count }

    /// **Value.** The columns of a row of one entity.
    package struct EntityPlan: Sendable {
        package let entity: Entity
        /// The entity's properties that have a column, in slot order.
        package let columns: [StoredColumn]
    }
}

/// **Value.** The columns of an object's key in a result: the primary key in column 0, and the entity.
package struct KeyPlan: Sendable {
    /// The position of the entity number; `nil` if all rows are of one entity.
    package let entityColumn: Int?
    /// The entities that rows may belong to, with their numbers in the database.
    package let entities: [(number: Int, entity: Entity)]

    /// Returns the position among `entities` of a number in the database, or `nil` for an unexpected number.
    @inlinable
    package func position(ofNumber number: Int) -> Int? {
        // A linear search: there are few entities, and a row's is nearly always that of the row before.
        entities.firstIndex { $0.number == number }
    }
}
