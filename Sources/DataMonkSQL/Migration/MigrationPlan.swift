package import DataMonkCore

/// **Value.** How a store gets from one schema to another: statements in order, and what must hold after them.
///
/// ```
/// discards       count what would be lost              before anything is changed
/// tallies        count what must come through
///                links that have no room any more
/// statements     put links that are to become fewer aside, choose which are kept
///                park old tables under other names     migrating_1, migrating_2, …
///                create the new ones, add columns
///                copy rows, then links
///                drop what was parked, build indexes
///                number the entities
/// requirements   look for objects that the new version has no room for
/// tallies        count again
/// ```
/// **Which tables are rebuilt.** A table that keeps its name, its entity numbers and all of its columns gets the new
/// columns by ALTER TABLE: that costs nothing per row, however large the table is, and only rows that get another value
/// are written. Every other table is rebuilt: one pass over its rows, whatever changed. There is no third way: SQLite's
/// own DROP COLUMN rewrites all rows too, and renumbering in place would write each row and each index entry anyway. So
/// adding an optional attribute to a large store takes no time, and a new entity that sorts before the others costs a
/// copy of the store.
///
/// Old tables are renamed, not the new ones: the schema then holds exactly the statements of a fresh store, where renamed
/// new tables would show up in quotes, and no new name can be in the way of an old one.
package struct MigrationPlan: Sendable {
    /// **Value.** One statement of the plan.
    package struct Statement: Sendable, Hashable {
        /// The statement.
        package var sql: String
        /// The constants of its parameters.
        package var bindings: [SQLBinding] = []
        /// The entity whose rows it goes over, nil where it is none.
        package var entityName: String?
        /// The old table whose rows it goes over, by its old name: how long it takes.
        package var weighingTable: String?
        /// What it means when rows are not unique enough for it.
        package var problem: MigrationError.Problem?
    }

    /// **Value.** A query that finds objects which the new version has no room for; it must find none.
    package struct Requirement: Sendable, Hashable {
        package var sql: String
        package var problem: MigrationError.Problem
    }

    /// **Value.** Two counts, before and after.
    package struct Tally: Sendable, Hashable {
        /// What is counted, for a message.
        package var subject: String
        package var before: String
        package var after: String
        /// Whether there may be fewer afterwards: of faults that were there before.
        package var mayShrink = false
    }

    package private(set) var discards: [Discard] = []
    package private(set) var tallies: [Tally] = []
    package private(set) var statements: [Statement] = []
    package private(set) var requirements: [Requirement] = []
    /// The new tables that were written to, whose pages and indexes are to be checked.
    package private(set) var writtenTables: [String] = []

    /// Plans a migration.
    ///
    /// - Parameters:
    ///   - old: the schema of the store.
    ///   - new: the schema that it shall have.
    ///   - mapping: what becomes what.
    ///   - physical: what the store's file has in fact.
    package init(
        from old: StoreSchema, to new: StoreSchema, mapping: InferredMapping, physical: PhysicalSchema
    ) {
        let planner = MigrationPlanner(MigrationSchemas(old: old, new: new, mapping: mapping), physical: physical)
        statements = planner.statements
        discards = MigrationDiscards(planner.schemas).discards + planner.narrowings.map(\.discard)
        requirements = MigrationRequirements(planner.schemas).requirements
        tallies = MigrationTallies(planner).tallies
        writtenTables = planner.writtenTables
    }
}
