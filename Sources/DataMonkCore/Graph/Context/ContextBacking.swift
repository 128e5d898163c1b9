/// **Confined.** The layer beneath a context, which it reads from and saves into: the stores (`StoreBacking`) for a root,
/// a parent (`ParentBacking`) for a child. A context asks its backing, and need not know which of the two it is.
package class ContextBacking: ContextPart {
    /// The contexts that the context reads through, the nearest first; none for a root.
    final let ancestors: [ManagedObjectContext]
    /// Indicates whether a save makes unsaved changes of the parent. If not, it writes rows into the stores: a read-only
    /// parent takes no changes, so its children save as roots do.
    final let takesUnsavedChanges: Bool

    init(ancestors: [ManagedObjectContext], coordinator: PersistentStoreCoordinator, identities: IdentityMap) {
        self.ancestors = ancestors
        takesUnsavedChanges = ancestors.first?.isReadOnly == false
        super.init(coordinator: coordinator, identities: identities)
    }

    /// Indicates whether the family stands at the newest generation, which the snapshot of this turn shows: `advance(until:)`
    /// would do nothing.
    var isCurrent: Bool { false }

    /// Moves the family to the newest generation and merges everything committed until then.
    ///
    /// - Parameter deadline: The deadline of a fetch; `nil` for that of the caller, if it has one.
    func advance(until deadline: ContinuousClock.Instant?) throws {}

    /// Moves the family to a generation and merges everything committed until then. Only a root does: a child stands at
    /// its root's generation.
    func stand(at newGeneration: Generation) {}

    /// Returns the knowledge of a row without reading from a store: that of the nearest of a child's parents, or that of
    /// the row cache if it may be used.
    func cachedRow(of key: ObjectKey) -> RowCache<Row>.Answer { .unknown }

    /// Gives an object whose changes were discarded the values beneath it, unless it has them.
    func revert(_ object: ManagedObject) {}

    /// Writes the changes of a save.
    func write(_ changes: consuming ChangeSet) throws -> CommitResult {
        try coordinator.commit(changes, from: context.id, until: context.deadlineOfCaller?())
    }
}

/// **Confined.** The parent of a child. What the parents do not know comes from the stores.
final class ParentBacking: ContextBacking {
    private let parent: ManagedObjectContext

    init(_ parent: ManagedObjectContext, identities: IdentityMap) {
        self.parent = parent
        let ancestors = [parent] + parent.backing.ancestors
        super.init(ancestors: ancestors, coordinator: parent.coordinator, identities: identities)
    }

    override func advance(until deadline: ContinuousClock.Instant?) throws {
        try parent.backing.advance(until: deadline)
        // Objects that are deleted by the parent's delete rules no longer exist for a child either.
        parent.graph.propagateDeletions()
    }

    override func cachedRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        let inherited = context.inheritedRow(of: key)
        if case .unknown = inherited { return parent.stores.cachedRow(of: key) }
        return inherited
    }

    override func revert(_ object: ManagedObject) {
        for relation in object.toManys { relation.unload() }
        switch context.inheritedRow(of: object.key) {
        case .row(let row): context.adopt(row, as: object)
        // No parent has read it. Its former values may be older than the family's generation.
        case .unknown, .deleted: context.turnIntoFault(object)
        }
    }

    override func write(_ changes: consuming ChangeSet) throws -> CommitResult {
        takesUnsavedChanges ? try parent.take(changes, of: context.id) : try super.write(changes)
    }
}
