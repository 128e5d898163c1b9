/// **Confined.** The base class of the parts of a `ManagedObjectContext`, each of which owns a portion of its state.
///
/// The context, or one of its calls, retains its parts; a part does not retain its context. `context` therefore retains it
/// for each use, which takes longer than most of the calls made through it. Code that runs for every object or row makes
/// its calls in `withContext` instead, which does not, and uses the constant collaborators that the part has itself.
package class ContextPart {
    final let coordinator: PersistentStoreCoordinator
    final let identities: IdentityMap
    /// The context, which is set before the part is used and which the part does not outlive.
    @exclusivity(unchecked) private final var owner: Unmanaged<ManagedObjectContext>?

    init(coordinator: PersistentStoreCoordinator, identities: IdentityMap) {
        self.coordinator = coordinator
        self.identities = identities
    }

    final var context: ManagedObjectContext {
        @inline(__always) get { owner.unsafelyUnwrapped.takeUnretainedValue() }
    }

    /// Indicates whether the context saves into its parent; see `ContextBacking`.
    final var isSavedIntoParent: Bool { withContext { $0.backing.takesUnsavedChanges } }

    /// Calls a block with the context, which is not retained for it.
    @inline(__always)
    final func withContext<Result>(_ body: (ManagedObjectContext) throws -> Result) rethrows -> Result {
        try owner.unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
    }

    final func attach(to context: ManagedObjectContext) { owner = Unmanaged.passUnretained(context) }
}

@available(*, unavailable)
extension ContextPart: Sendable {}
