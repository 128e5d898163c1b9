/// **Value.** A migration over a list of versions.
///
/// ```swift
/// let migration = StagedMigration(
///     from: first, [.lightweight(to: second), .custom(to: third, mapping: [.transform("Guest", [.converted("rank")])])])
/// try stack.addDatabaseStore(fileURL: url, stages: migration)
/// ```
/// A store of any version in the list is migrated through the stages that follow. Each stage begins where the one before
/// ended. All stages with their code are one transaction: a migration that fails or is interrupted leaves the store of the
/// version before the first stage.
public struct StagedMigration: Sendable {
    /// The version before the first stage, if the list or the stage names it; `nil` for every version that no stage leads to,
    /// which takes lightweight stages alone.
    public let source: ManagedObjectModel?
    /// The stages, in order.
    public let stages: [MigrationStage]

    /// Creates a list of stages.
    ///
    /// - Parameters:
    ///   - source: The version before the first stage. A store of a version that is not in the list is refused then. Without
    ///     it, a store of an unknown version goes through all stages, none of which may have a mapping or code then.
    ///   - stages: The stages, in order. The last one leads to the version of the stack's model.
    public init(from source: ManagedObjectModel? = nil, _ stages: [MigrationStage]) {
        self.source = source ?? stages.first?.source
        self.stages = stages
    }

    /// Returns the version that a stage begins with, as the list knows it.
    package func source(ofStageAt place: Int) -> ManagedObjectModel? {
        stages[place].source ?? (place == 0 ? source : stages[place - 1].model)
    }

    /// The versions of the list, oldest first.
    package var versions: [ManagedObjectModel] { (source.map { [$0] } ?? []) + stages.map(\.model) }

    /// Indicates whether stages have mappings by hand or code.
    package var hasOwnParts: Bool {
        stages.contains { !$0.mapping.isEmpty || $0.willMigrate != nil || $0.didMigrate != nil }
    }

    /// Checks that the stages lead to a model, each of them from where the one before ended, and to each version once; and
    /// that mappings and code are for stores of versions that are named. What they change they would change again in a store
    /// that has been through them.
    ///
    /// - Throws: ``MigrationError`` with the code `invalidStages`.
    package func check(leadingTo model: ManagedObjectModel) throws {
        let versions = versions.map(\.entityVersionHashesByName)
        guard !stages.isEmpty, versions.last == model.entityVersionHashesByName else {
            throw MigrationError(
                .invalidStages, "The stages do not lead to the model of the stack. Add a stage that leads to it.")
        }
        if hasOwnParts, source == nil {
            throw MigrationError(
                .invalidStages,
                """
                The stages have a mapping or code, but do not name the version that the first of them begins with. Pass it \
                as from:, so that they are not run over stores of any other version.
                """)
        }
        for (place, stage) in stages.enumerated() {
            let before = place == 0 ? source : stages[place - 1].model
            guard let own = stage.source, let before,
                own.entityVersionHashesByName != before.entityVersionHashesByName
            else { continue }
            throw MigrationError(
                .invalidStages,
                """
                The stage \(place + 1) begins with another version than the one that comes before it. Add a stage between \
                them, or correct its parameter from.
                """)
        }
        for place in versions.indices {
            guard let other = versions[..<place].firstIndex(of: versions[place]) else { continue }
            throw MigrationError(
                .invalidStages,
                """
                The versions \(other + 1) and \(place + 1) of the stages are the same. List each version once.
                """)
        }
    }
}
