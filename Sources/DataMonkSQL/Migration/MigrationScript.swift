package import DataMonkCore

/// **Value.** The migration of a store from one schema to another: statements in order, and the conditions that must hold
/// after them.
///
/// ```
/// discards       count what would be lost              before anything is changed
/// tallies        count what must come through
///                links that no longer have room
/// collections    collect the links of narrowed relationships that are kept
/// parkedNames    park old tables under other names     migrating_1, migrating_2, …
/// statements     create the new ones, add columns
///                copy rows, then links
///                compute values, row by row
///                drop what was parked, build indexes
///                number the entities
/// requirements   look for objects that the new version does not allow
/// tallies        count again
/// ```
/// **Rebuilt tables.** A table that keeps its name, its entity numbers and all of its columns gets the new columns by ALTER
/// TABLE. That costs nothing per row, however large the table is, and only rows that get another value are written. Every
/// other table is rebuilt, in one pass over its rows, whatever changed. There is no third way: SQLite's own DROP COLUMN also
/// rewrites all rows, and renumbering in place would write each row and each index entry anyway. So adding an optional
/// attribute to a large store takes no time, and a new entity that sorts before the others costs a copy of the store.
///
/// The old tables are renamed rather than the new ones. The schema then contains exactly the statements of a fresh store,
/// whereas renamed new tables would appear in quotes, and no new name can collide with an old one.
package struct MigrationScript: Sendable {
    /// **Value.** One statement of the plan.
    package struct Statement: Sendable, Hashable {
        /// The statement.
        package var sql: String
        /// The values of its parameters.
        package var bindings: [SQLBinding] = []
        /// The entity whose rows it processes; `nil` if there is none.
        package var entityName: String?
        /// The old name of the table whose rows it processes, which determines its cost.
        package var weighingTable: String?
        /// The index of the computation that runs in place of the statement, which is its query.
        package var computation: Int?
        /// The problem to report if rows violate a uniqueness constraint in this statement.
        package var problem: MigrationError.Problem?
    }

    /// **Value.** A relationship that must have a destination in each object of an entity.
    package struct Requirement: Sendable, Hashable {
        /// A query for the keys of the objects that have none.
        package var sql: String
        /// A query of the old tables for the keys of those that had none although the version before required one as well, and
        /// that are there all the same. They are no fault of the migration. `nil` if it required none.
        package var former: String?
        package var entityName: String
        package var propertyName: String

        /// Returns the problem of objects without a destination.
        ///
        /// - Parameter key: The key of the first one.
        package func problem(_ count: Int, firstKey key: Int64) -> MigrationError.Problem {
            let objects =
                count == 1
                ? "the stored object \(entityName)/p\(key)" : "\(count) stored objects (first \(entityName)/p\(key))"
            let message =
                former == nil
                ? """
                It is required, but would be empty in \(objects). Make it optional, fill it in, and make it required in a \
                later version; or fill it in by code of a stage (didMigrate).
                """
                : """
                It is required, but \(objects) would lose the last destination, and discarding: does not permit that. Give \
                each another one, or delete it, in the previous version or by code of a stage (didMigrate); or make it \
                optional.
                """
            return MigrationError.Problem(
                kind: former == nil ? .missingLinks : .lostLinks, entityName: entityName, propertyName: propertyName,
                count: count, message: message)
        }
    }

    /// **Value.** Two counts to compare, before and after the migration.
    package struct Tally: Sendable, Hashable {
        /// The subject of the count, for a message.
        package var subject: String
        package var before: String
        package var after: String
        /// A Boolean value indicating whether the count may decrease: for faults that the store had before.
        package var mayShrink = false
    }

    /// **Value.** Old rows that are copied into a new table, or written in place.
    package struct Rewrite: Sendable, Hashable {
        /// The new name of the table's root entity, or of the entity that declares the relationship whose links are copied.
        package var entityName: String
        /// The new name of the relationship; `nil` for objects.
        package var relationshipName: String?
        /// The old name of the table.
        package var tableName: String
        /// A Boolean value indicating whether the rows are copied, so that both tables are there for a time.
        package var isCopy: Bool
    }

    package private(set) var discards: [Discard] = []
    package private(set) var rewrites: [Rewrite] = []
    package private(set) var tallies: [Tally] = []
    package private(set) var collections: [Statement] = []
    /// The temporary names of old tables, by their names.
    package private(set) var parkedNames: [String: String] = [:]
    package private(set) var statements: [Statement] = []
    package private(set) var requirements: [Requirement] = []
    /// The values that closures compute, one row at a time.
    package private(set) var computations: [RowComputation] = []
    /// The new tables that were written to, whose pages and indexes must be checked.
    package private(set) var writtenTables: [String] = []

    /// Plans a migration.
    ///
    /// - Parameters:
    ///   - old: The schema of the store.
    ///   - new: The schema to migrate to.
    ///   - mapping: The mapping between their entities and properties.
    ///   - physical: The actual tables and indexes in the store's file.
    package init(
        from old: StoreSchema, to new: StoreSchema, mapping: InferredMapping, physical: PhysicalSchema
    ) {
        let planner = MigrationPlanner(MigrationSchemas(old: old, new: new, mapping: mapping), physical: physical)
        collections = planner.collections
        parkedNames = planner.schemas.parkedNames
        statements = planner.statements
        computations = planner.computations
        discards = MigrationDiscards(planner).discards + planner.narrowings.map(\.discard)
        requirements = MigrationRequirements(planner.schemas).requirements
        tallies = RowCountChecks(planner).tallies
        writtenTables = planner.writtenTables
        rewrites = planner.rewrites
    }
}
