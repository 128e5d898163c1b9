import DataMonkCore

/// **Shared.** The way from rows to the objects of an entity, found in the model once.
final class ImportPlan: Sendable {
    let entity: Entity

    init(_ entity: Entity, in model: ManagedObjectModel) throws {
        self.entity = entity
    }
}
