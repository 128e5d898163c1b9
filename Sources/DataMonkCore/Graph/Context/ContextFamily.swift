/// **Confined.** The children of a context, and the rules between parents and children.
///
/// A child is a context like any other, with the same identity map, drafts, delete rules, validation and fetching. Only
/// its backing, the layer beneath it, is different, and that answers with the same types:
///
///     request                  from a root                             from a child
///     a row already known      the row cache -> `RowCache.Answer`      its parents, `inheritedRow(of:)` -> the same
///     a row not known          a reader of its snapshot                the same reader: the snapshot is the root's
///     members of a to-many     a reader                                that, changed by each parent's `ToManyRelation`
///     a fetch                  the readers, under a `PendingOverlay`   the same, a layer of the overlay for each parent
///     a save                   `commit(ChangeSet) -> CommitResult`     the parent, `take(ChangeSet) -> CommitResult`
///     what happened since      `merge(Commit)`, from the notices       `inherit(Commit)`, called by the parent
///
/// Thus a child's read does not register anything in a parent, and rows are shared: a child copies a row only where a
/// parent has a draft, which may still change.
///
/// Keys belong to the coordinator: a new object has the same temporary key in the whole family. When it gets its
/// permanent key, in a root's save or by `obtainPermanentIDs`, every context of the family renames it at once, and rows
/// that refer to it are redirected.
///
/// A family stands at one generation, its root's. When a parent merges commits or saves, it passes them on to the
/// children that follow it before the call returns. Unsaved changes are not passed on: a child sees them when it reads.
/// But once a parent's save has resolved conflicts, the outcome is: every child loses the new objects that were removed, whose
/// ids lead to the remaining ones, and those that follow get the present values of the rest. A commit would not name changes
/// that were resolved away, and a child's objects would pass for saved (`ConflictResolver+Children.swift`).
///
/// Decisions and their reasons:
/// - In a child's save, its values win over the parent's, property by property and silently, as in Core Data. The
///   parent's own values are unsaved, have no version to compare, and are the same user's work. Versions are checked
///   where they exist, by the store in the root's save. A change carries the row that it started from: a commit by others
///   that the parent has merged since still causes a conflict, which the root's policy resolves. The family's own saves
///   do not: they raise the versions of the rows that the children have read.
/// - An object that the parent has deleted stays deleted. A child that has changed it finds out when it saves, and its
///   merge policy decides: `error` throws with the conflict and nothing is saved; the others discard the object's
///   changes.
/// - A read-only parent takes no changes: a child of it saves into the stores, as a root does. Drafts are such children.
///   While such a save waits, the root may merge its commit, and others on top of it. The root then applies the save at that
///   point (`UnitOfWork.apply`). Otherwise the family would have new objects twice, as unsaved and as stored ones, and
///   would end with the rows of the save in place of newer ones. For the same reason, a root merges the commits of its
///   family even if it does not follow those of others.
/// - A parent that takes a new object from a child does not call `awakeFromInsert`, which runs once in an object's life;
///   nor does it call `prepareForDeletion` again for objects that the child has deleted. Its own save calls `willSave`,
///   validation and `didSave` as for all its changes.
///
/// Invariants, checked by `ManagedObjectContext.checkInvariants()`:
/// 1. A child keeps its parent alive, and its parent lists it during its lifetime.
/// 2. No context of a family has an object under a temporary key that another one has under its permanent key.
struct ContextFamily {
    private struct Child {
        weak var context: ManagedObjectContext?
    }

    private var children: [Child] = []

    /// Indicates whether there has never been a child, or all children have been released since the last one was added.
    var isEmpty: Bool { children.isEmpty }

    mutating func append(_ context: ManagedObjectContext) {
        children.removeAll { $0.context == nil }
        children.append(Child(context: context))
    }

    /// The children, in the order of their creation.
    var contexts: [ManagedObjectContext] { children.compactMap(\.context) }
}

@available(*, unavailable)
extension ContextFamily: Sendable {}
