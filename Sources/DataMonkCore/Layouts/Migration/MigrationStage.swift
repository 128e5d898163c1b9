/// **Value.** One step of a ``StagedMigration``, to the next version of a model.
public struct MigrationStage: Sendable {
    /// The version that the stage leads to.
    public let model: ManagedObjectModel
    /// The parts of the mapping that are not inferred.
    public let mapping: [EntityMapping]

    /// A stage whose mapping is inferred.
    public static func lightweight(to model: ManagedObjectModel) -> MigrationStage {
        MigrationStage(model: model, mapping: [])
    }

    /// A stage with a mapping by hand.
    public static func custom(to model: ManagedObjectModel, mapping: [EntityMapping]) -> MigrationStage {
        MigrationStage(model: model, mapping: mapping)
    }
}

/// **Value.** A migration over a list of versions.
///
/// ```swift
/// let migration = StagedMigration(
///     from: first, [.lightweight(to: second), .custom(to: third, mapping: [.transform("Guest", [.converted("rank")])])])
/// try stack.addDatabaseStore(fileURL: url, stages: migration)
/// ```
/// A store of any version in the list is migrated through the stages that follow. Each stage begins where the one before
/// ended, so there can be no gaps. All stages are one transaction: a migration that fails or is interrupted leaves the
/// store of the version before the first stage.
public struct StagedMigration: Sendable {
    /// The version before the first stage; `nil` for every version that no stage leads to.
    public let source: ManagedObjectModel?
    /// The stages, in order.
    public let stages: [MigrationStage]

    /// Creates a list of stages.
    ///
    /// - Parameters:
    ///   - source: The version before the first stage. A store of a version that is not in the list is refused then. Without
    ///     it, a store of an unknown version goes through all stages.
    ///   - stages: The stages, in order. The last one leads to the version of the stack's model.
    public init(from source: ManagedObjectModel? = nil, _ stages: [MigrationStage]) {
        self.source = source
        self.stages = stages
    }

    /// The versions of the list, oldest first.
    package var versions: [ManagedObjectModel] { (source.map { [$0] } ?? []) + stages.map(\.model) }

    /// Checks that the stages lead to a model, and to each version once.
    ///
    /// - Throws: ``MigrationError`` with the code `invalidStages`.
    package func check(leadingTo model: ManagedObjectModel) throws {
        let versions = versions.map(\.entityVersionHashesByName)
        guard !stages.isEmpty, versions.last == model.entityVersionHashesByName else {
            throw MigrationError(
                .invalidStages, "The stages do not lead to the model of the stack. Add a stage that leads to it.")
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
