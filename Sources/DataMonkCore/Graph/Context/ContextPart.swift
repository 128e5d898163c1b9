/// **Confined.** The base class of the parts of a `ManagedObjectContext`, each of which owns a portion of its state.
package class ContextPart {
    /// The context, which is set before the part is used and which the part does not outlive: only the context, or one of
    /// its calls, retains it. Unowned and unchecked, because each access to a fault uses it.
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
