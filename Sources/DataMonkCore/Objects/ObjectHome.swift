/// **Confined.** What the objects of one entity in one context share: the way to their context and their layout.
package final class ObjectHome {
    package let layout: EntityLayout
    package let directory: ObjectDirectory
    /// Who hears of what its objects cannot read.
    package let coordinator: PersistentStoreCoordinator
    /// Nil once the context is gone; then its objects keep the values they have and can read no more.
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
extension ObjectHome: Sendable {}
