/// **Confined.** The base class of the parts of a `ManagedObjectContext`, each of which owns a portion of its state.
package class ContextPart {
    /// The context that owns the part: its initializers set it before they return, and nothing else retains the part.
    /// Unowned and unchecked, because each access to a fault uses it.
    @exclusivity(unchecked) private final unowned(unsafe) var owner: ManagedObjectContext?

    final var context: ManagedObjectContext {
        @inline(__always) get { owner.unsafelyUnwrapped }
    }

    final var coordinator: PersistentStoreCoordinator {
        @inline(__always) get { context.coordinator }
    }

    final var identities: IdentityMap {
        @inline(__always) get { context.identities }
    }

    final func attach(to context: ManagedObjectContext) { owner = context }
}

@available(*, unavailable)
extension ContextPart: Sendable {}
