/// **Value.** One step of a ``StagedMigration``, to the next version of a model.
public struct MigrationStage: Sendable {
    /// The code of an application over the objects of a store that is being migrated.
    ///
    /// The context has all objects of the store, in one version of the model. What the code changes is saved when it returns,
    /// and is part of the migration's transaction: it is on disk when the whole migration is, or not at all. An error ends the
    /// migration (`MigrationError.Code.failedStage`), and the store stays as it was.
    ///
    /// So do a fetch that leaves damaged objects out, and a property that reads as empty because its value cannot be read,
    /// although the code gets no error: the next stage may remove what the code has not seen. A `rollback()` or `reset()`
    /// of the context does not change that. Code that needs no such value says so with
    /// ``ManagedObjectContext/disregardFailedReads()``, or reads it with a call that throws, `value(forKey:)`.
    ///
    /// The code runs on the thread that opens the store. Neither the context nor its coordinator can be used elsewhere, or
    /// afterwards.
    public typealias Code = @Sendable (ManagedObjectContext) throws -> Void

    /// The version that the stage begins with; `nil` for the one that the list has before it.
    public let source: ManagedObjectModel?
    /// The version that the stage leads to.
    public let model: ManagedObjectModel
    /// The parts of the mapping that are not inferred.
    public let mapping: [EntityMapping]
    /// Runs before the stage, over the objects of the version before.
    public let willMigrate: Code?
    /// Runs after the stage, over the objects of the version that it leads to.
    public let didMigrate: Code?

    /// A stage whose mapping is inferred.
    public static func lightweight(to model: ManagedObjectModel) -> MigrationStage {
        MigrationStage(source: nil, model: model, mapping: [], willMigrate: nil, didMigrate: nil)
    }

    /// A stage with a mapping by hand, and with code before and after it.
    ///
    /// ```swift
    /// .custom(to: third, didMigrate: { context in
    ///     for post in try context.fetch(FetchRequest(entityName: "Post")) {
    ///         let section = try context.insert(context.entity(named: "Section"))
    ///         try section.setValue(post.value(forKey: "content"), forKey: "body")
    ///         try section.setValue(.object(post.anyObjectID), forKey: "post")
    ///     }
    /// })
    /// ```
    /// A mapping is for values of one object alone, and quicker. Code can do everything else: split an object in two, make
    /// links, decide which links stay. Where both versions of a value are needed, let one version of the model have both, and
    /// remove the old one in the next stage.
    ///
    /// Objects keep their ids from one version to the next, unless their entity is removed. The code may run again in a later
    /// attempt if the migration fails.
    ///
    /// - Parameters:
    ///   - source: The version that the stage begins with; `nil` for the one that the list has before it. Another one than
    ///     that is an error (`invalidStages`) before anything is changed. The first stage has one, here or in the list.
    ///   - model: The version that the stage leads to.
    ///   - mapping: The parts of the mapping that are not inferred.
    ///   - willMigrate: Runs before the stage, over the objects of the version before.
    ///   - didMigrate: Runs after the stage, over the objects of the version that it leads to.
    public static func custom(
        from source: ManagedObjectModel? = nil, to model: ManagedObjectModel, mapping: [EntityMapping] = [],
        willMigrate: Code? = nil, didMigrate: Code? = nil
    ) -> MigrationStage {
        MigrationStage(
            source: source, model: model, mapping: mapping, willMigrate: willMigrate, didMigrate: didMigrate)
    }
}
