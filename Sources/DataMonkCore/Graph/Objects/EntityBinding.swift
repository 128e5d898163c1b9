/// **Confined.** The data common to the objects of one entity in one context: their context and their layout.
package final class EntityBinding {
    package let layout: EntityLayout
    package let directory: ObjectDirectory
    /// The coordinator that is informed when values of the objects cannot be read.
    package let coordinator: PersistentStoreCoordinator
    /// `nil` once the context has been released. Its objects then keep their values but cannot read any more.
    @exclusivity(unchecked)  // Confined; each access is one load or store.
    package unowned(unsafe) var context: ManagedObjectContext?

    init(layout: EntityLayout, context: ManagedObjectContext) {
        self.layout = layout
        directory = context.directory
        coordinator = context.coordinator
        self.context = context
    }
}

@available(*, unavailable)
extension EntityBinding: Sendable {}
