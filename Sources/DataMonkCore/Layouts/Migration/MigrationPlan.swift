public import Foundation

/// **Value.** The steps by which a store becomes one of another version of the model, with what they cost and what they
/// discard.
///
/// ```swift
/// let plan = try await stack.migrationPlan(for: .database(fileURL: url))
/// for step in plan.steps { print(step) }
/// for discard in plan.discards where !discard.isPermitted { print(discard.problem) }
/// for obstacle in plan.obstacles { print(obstacle) }
/// ```
/// See `Stack.migrationPlan(for:)`, and `Stack.migrationPlan(forServerStore:options:discarding:)` for a store on a server.
public struct MigrationPlan: Sendable, Hashable {
    /// **Value.** The part of a plan that leads to one version.
    public struct Stage: Sendable, Hashable {
        /// The steps, in the order of the new version's entities; rows that are written come last.
        public let steps: [Step]
        /// The stored data for which the version has no place.
        public let discards: [Discard]
        /// The estimated number of bytes that the stage needs beside the store's own.
        public let requiredByteCount: Int64
        /// A Boolean value indicating whether code of a stage runs before this part, which a plan does not run. The numbers,
        /// and what would be discarded, are those of the data without it.
        public let dependsOnCode: Bool
        /// The stored objects that do not fit the version: those that would lack a destination of a required relationship, with
        /// their number and the remedy. The store is refused because of them, whatever may be discarded. A stage that is
        /// carried out for the plan shows other misfits as well, such as values that cannot be converted: each stage before the
        /// last one, and the last one if it has such a relationship. Empty if code may make the objects fit.
        public package(set) var obstacles: [MigrationError.Problem] = []

        package init(steps: [Step], discards: [Discard], requiredByteCount: Int64, dependsOnCode: Bool) {
            self.steps = steps
            self.discards = discards
            self.requiredByteCount = requiredByteCount
            self.dependsOnCode = dependsOnCode
        }
    }

    /// **Value.** Stored data that a migration would discard.
    public struct Discard: Sendable, Hashable {
        /// The data: the names of the old version, the number of objects, values or links, and the remedy.
        public let problem: MigrationError.Problem
        /// A Boolean value indicating whether the data may go: because ``DiscardableData`` names it, or because the program
        /// has the model of the store's version too. A lost order is always permitted, and reported.
        public let isPermitted: Bool

        package init(problem: MigrationError.Problem, isPermitted: Bool) {
            self.problem = problem
            self.isPermitted = isPermitted
        }
    }

    /// The store's file; `nil` for a store on a server.
    public let storeURL: URL?
    /// The size of the store in bytes, without its log and without external data, which a migration leaves alone.
    public let storeByteCount: Int64
    /// The stages, in order; empty if the store has the version already.
    public let stages: [Stage]
    /// A Boolean value indicating whether the plan says all. If not, the data does not fit the version that the last one of
    /// `stages` leads to, as its `obstacles` say, or unless code that runs before it makes it fit. Nothing is known of later
    /// stages.
    public let isComplete: Bool
    /// A Boolean value indicating whether processes of the version before may go on with a store on a server. `false` for a
    /// file, which nobody has open while it is migrated.
    public let isAdditive: Bool

    package init(
        storeURL: URL? = nil, storeByteCount: Int64, stages: [Stage], isComplete: Bool = true, isAdditive: Bool = false
    ) {
        self.isAdditive = isAdditive
        self.storeURL = storeURL
        self.storeByteCount = storeByteCount
        self.stages = stages
        self.isComplete = isComplete
    }

    /// A Boolean value indicating whether there is nothing to do.
    public var isEmpty: Bool { stages.isEmpty }

    /// The steps of all stages.
    public var steps: [Step] { stages.flatMap(\.steps) }

    /// The stored data that any of the stages would discard.
    public var discards: [Discard] { stages.flatMap(\.discards) }

    /// The estimated number of bytes that the migration needs on the disk, beside those of the store.
    ///
    /// Copied tables are there twice until the end, in the file and in its log. Values that are computed, or defaults that
    /// existing objects get, can be larger than what they replace, which is not part of the estimate.
    public var requiredByteCount: Int64 { stages.map(\.requiredByteCount).reduce(0, +) }

    /// The stored objects that do not fit one of the versions.
    public var obstacles: [MigrationError.Problem] { stages.flatMap(\.obstacles) }

    /// A Boolean value indicating whether the migration would be refused, because it would discard data without permission, or
    /// because of `obstacles`. For stages that depend on code, the answer is that for the data without it.
    public var isRefused: Bool { discards.contains { !$0.isPermitted } || !obstacles.isEmpty }
}
