/// **Confined.** The children of a context, and what parents and children are to each other.
///
/// A child is a context like any other: the same identity map, drafts, delete rules, validation and fetching. Only what
/// lies under it differs, and that answers in the same types:
///
///     asked for                a root asks                             a child asks
///     a row somebody knows     the row cache -> `RowCache.Answer`      its parents, `inheritedRow(of:)` -> the same
///     a row nobody knows       a reader of its snapshot                the same reader: the snapshot is the root's
///     members of a to-many     a reader                                that, changed by each parent's `ToManyRelation`
///     a fetch                  the readers, under a `PendingOverlay`   the same, a layer of the overlay for each parent
///     a save                   `commit(ChangeSet) -> CommitResult`     the parent, `take(ChangeSet) -> CommitResult`
///     what happened since      `merge(Commit)`, from the notices       `merge(Commit)`, called by the parent
///
/// So nothing is registered in a parent because a child reads it, and rows are shared: a child copies one only where a
/// parent has a draft, which may still change.
///
/// Keys are the coordinator's: a new object has one temporary key in the whole family. When it gets its permanent one,
/// in a root's save or by `obtainPermanentIDs`, every context of the family renames it at once, and rows that point at
/// it are redirected.
///
/// A family stands at one generation, its root's. When a parent takes commits over or saves, it passes them on to the
/// children that follow it, before the call returns; unsaved changes are not passed on: a child has them when it reads.
///
/// Decided, and why:
/// - At a child's save its values win over the parent's, property by property and silently, as in Core Data. What stands
///   against them in the parent is unsaved, has no version to compare, and is the same user's work. Versions are
///   checked where there are any, by the store in the root's save. A change brings along the row that it started from:
///   a commit of others that the parent has taken over since is still met, and the root's policy settles it. The saves
///   of the family itself are not: they raise the versions of what its children have read.
/// - An object that the parent has deleted stays deleted. A child that has changed it learns so when it saves, and its
///   merge policy decides: `error` throws with the conflict and nothing is saved, the others let the object go.
/// - A parent for reading takes nothing over: a child of it saves into the stores, as a root does. Drafts are such.
/// - A parent that takes a new object over does not call `awakeFromInsert`, which runs once in an object's life. Nor
///   does it call `prepareForDeletion` again for what the child has deleted. Its own save calls `willSave`, validation
///   and `didSave` as for all its changes.
///
/// Invariants, checked by `ManagedObjectContext.checkInvariants()`:
/// 1. A child keeps its parent alive, and its parent lists it as long as it lives.
/// 2. No context of a family has an object under a temporary key that another one has under its permanent key.
struct ContextFamily {
    private struct Child {
        weak var context: ManagedObjectContext?
    }

    private var children: [Child] = []

    /// Whether there never was a child, or none is left since the last one was added.
    var isEmpty: Bool { children.isEmpty }

    mutating func append(_ context: ManagedObjectContext) {
        children.removeAll { $0.context == nil }
        children.append(Child(context: context))
    }

    /// The children, in the order they were made.
    var contexts: [ManagedObjectContext] { children.compactMap(\.context) }
}

@available(*, unavailable)
extension ContextFamily: Sendable {}
