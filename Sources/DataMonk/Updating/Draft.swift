public import DataMonkCore

/// **Shared**, on the main actor. Objects to edit on the main actor: a form, a sheet, an unsaved document.
///
///     let draft = World.draft()
///     let monk = try draft.use(shownMonk)             // the draft's own object
///     monk.name = "Abbot"
///     try await draft.commit()                        // on disk, and shown by `World`
///
/// A draft starts with the data that its main context shows. Objects without changes in the draft follow the main
/// context. A changed object keeps the version that its changes started from, and its `hasConflict` is `true` once others
/// have committed a newer version. The merge policy resolves the conflict at the commit.
///
/// Discarding a draft without a commit leaves no trace. A draft can undo and redo steps, also across a commit. A step
/// consists of the changes of one turn of the main actor:
///
///     draft.undo()                                    // "Monk", to be committed as any change
///     draft.redo()                                    // "Abbot"
///
/// A draft consists of two contexts, one the child of the other: the *desk*, which holds the draft's objects, and the
/// *outbox* as its parent, which is itself a child of the main context. A commit saves the desk into the outbox,
/// immediately, and the outbox into the store, on another thread. Thus the changes being written are frozen while the
/// desk remains editable. If the commit fails, its changes are restored on the desk, beneath the edits made since.
///
///     editing --commit--> committing --stored--> editing, shown by the main context
///                             +-------failed---> editing, with everything as before
///
/// Invariants:
/// 1. One commit at a time uses the outbox; others wait for it in `gate`.
/// 2. While a commit awaits the store, nothing changes the contents of the outbox but the resolution of its conflicts, which
///    passes on to the desk, and the main context when it merges the commit. Both contexts refuse `save()`.
/// 3. Between commits the outbox has no objects: the desk reads from those of the main context.
@preconcurrency @MainActor
public final class Draft: MainReading {
    /// Releases the snapshots that reads open, and outlives the draft.
    private let context: MainContext
    private let outbox: ManagedObjectContext
    private let desk: ManagedObjectContext
    private let editor: Editor
    /// Reads the draft's objects, unsaved changes included. The draft has the same calls.
    public var reader: Reader { editor }
    private let writer: StoreWriter
    /// Invariant 1.
    private let gate = UpdateGate()
    /// Indicates whether the current user event ends with this turn of the main actor.
    private var endsEvent = false

    init(over context: MainContext) {
        self.context = context
        let mergePolicy = context.updater.settings.mergePolicy
        outbox = ManagedObjectContext(
            parent: context.managedObjectContext, mergePolicy: mergePolicy, automaticallyMergesChangesFromParent: true)
        desk = ManagedObjectContext(
            parent: outbox, mergePolicy: mergePolicy, automaticallyMergesChangesFromParent: true)
        editor = Editor(graph: desk)
        writer = StoreWriter(context.stack.coordinator)
        desk.refusalToSave = UpdateError.savedWithoutCommit
        outbox.refusalToSave = UpdateError.savedWithoutCommit
        desk.undoManager = ContextUndoManager()
        desk.eventDidBegin = { [weak self] in
            // Called during a change on the main actor, since the desk is used only there.
            MainActor.assumeIsolated { self?.endEventLater() }
        }
    }

    // On the main actor, because objects that are still held there are detached from the draft.
    isolated deinit {}

    /// The engine's context that holds the draft's objects. It is saved by ``commit(deadline:fileID:line:)`` alone: its own
    /// `save()` throws ``UpdateError`` with the code `commitRequired`.
    public var managedObjectContext: ManagedObjectContext { desk }

    /// Indicates whether there are changes to commit, not counting those that a commit is currently writing.
    public var hasChanges: Bool { desk.hasChanges }

    /// The changed objects for which others have committed a newer version. See ``/DataMonkCore/ManagedObject/hasConflict``.
    public var conflicts: [ManagedObject] {
        (desk.updatedObjects + desk.deletedObjects).filter(\.hasConflict)
    }

    /// Writes all changes into the store. When it returns, they are on disk and shown by the main context, whether or not
    /// that follows the commits of others.
    ///
    /// What is committed is what there is at the call, or when the draft's commits before it have ended: edits made while it
    /// awaits the store stay in the draft. It stands outside of any order of updates, and meets those by the merge policy. If
    /// it throws, nothing was written, and everything is still there to commit again or to take back, unless the error's code
    /// is `outcomeUnknown` or `savedInPart`.
    ///
    /// - Parameter deadline: The longest time to wait for its turn; `nil` for no limit.
    /// - Throws: ``/DataMonkCore/SaveError`` for invalid objects, for conflicts under the policy `error`, and with the code
    ///   `unreadValues` after a property could not be read or set; ``/DataMonkCore/StoreError`` if the store fails;
    ///   `CancellationError` if the task is cancelled before the commit's turn comes; ``UpdateError`` if it reaches the
    ///   deadline.
    public func commit(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let deadline = deadline.map { ContinuousClock.now + $0 }
        let call = UpdateCall("commit", file: fileID, line: line)
        guard let outer = UpdateScope.current else {
            return try await commit(WaitParticipant(call, canSuspend: true), until: deadline)
        }
        let inside = outer.isOfThisFlow ? outer.party : nil
        let party = WaitParticipant(call, canSuspend: true, outer: inside)
        try await outer.whileWaiting(for: party) { try await commit(party, until: deadline) }
    }

    private func commit(_ party: WaitParticipant, until deadline: ContinuousClock.Instant?) async throws {
        let settings = context.updater.settings
        let timeoutPolicy: GateRequest.TimeoutPolicy =
            deadline.map { .until($0) } ?? .untilStalled(settings.deadline, settings.stack)
        var turn = GateRequest(party, through: [gate])
        try await turn.pass(timeoutPolicy)
        defer { turn.leave() }
        try desk.saveForOwner()
        do {
            try await writeOutbox()
        } catch {
            desk.takeBack()
            throw error
        }
        // Keeps invariant 3. The main context merges the commit first, so that the desk still sees the committed values.
        context.managedObjectContext.mergeCommits()
        outbox.reset()
    }

    private func writeOutbox() async throws {
        guard outbox.hasChanges else { return }
        let writer = writer
        // Invariant 2: only this draft's commits use the outbox, and the gate keeps other commits out.
        try await outbox.save { changes, origin in try await writer.commit(changes, from: origin) }
        context.updater.settings.didCommit()
    }

    private func endEventLater() {
        if endsEvent { return }
        endsEvent = true
        Task { @MainActor in
            endsEvent = false
            desk.processPendingChanges()
        }
    }

    /// Discards all changes since the last commit, except those that a commit is currently writing.
    public func rollback() { editor.rollback() }

    /// Allows the next commit although properties could not be read or set: values computed from an empty value are
    /// committed. See ``/DataMonkCore/ManagedObjectContext/disregardFailedReads()``.
    public func disregardFailedReads() { editor.disregardFailedReads() }

    // MARK: Undo

    /// The undo manager, which provides names for menus, groups, and a limit on the number of steps, 100 by default.
    /// `nil` for a draft that does not record changes.
    public var undoManager: ContextUndoManager? {
        get { desk.undoManager }
        set { desk.undoManager = newValue }
    }

    /// Undoes the last step, if there is one; see ``/DataMonkCore/ContextUndoManager/undo()``.
    ///
    /// A commit does not clear the steps: undoing past it makes new changes, which the next commit writes.
    public func undo() { desk.undo() }

    /// Redoes the step that was undone last, if there is one; see ``/DataMonkCore/ContextUndoManager/redo()``.
    public func redo() { desk.redo() }

    // MARK: Changing

    /// Creates an object with its default values. See ``Editor/create(_:)``.
    public func create<Object: ManagedObject>(_ type: Object.Type) throws -> Object { try editor.create(type) }

    /// Returns the first object that meets the condition, or creates one that does. See ``Editor/fetchOrCreate(_:_:)``.
    public func fetchOrCreate<Object: ManagedObject>(_ type: Object.Type, _ query: Query) throws -> Object {
        try editor.fetchOrCreate(type, query)
    }

    /// Returns the first object that meets the condition, or creates one that does.
    public func fetchOrCreate<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try editor.fetchOrCreate(type, where: condition)
    }

    /// Deletes an object with the next commit, applying the delete rules of its relationships.
    public func delete(_ object: ManagedObject) throws { try editor.delete(object) }

    /// Deletes the given objects with the next commit.
    public func delete(_ objects: [ManagedObject]) throws { try editor.delete(objects) }

    /// Adds an amount to a number of an object. See ``Editor/increment(_:by:of:)-(KeyPath<Object,Number>,_,ObjectID<Object>)``.
    public func increment<Object: ManagedObject, Number: ManagedAttribute & Numeric>(
        _ key: KeyPath<Object, Number>, by amount: Number, of object: Object
    ) throws {
        try editor.increment(key, by: amount, of: object)
    }

    /// Adds an amount to an optional number of an object.
    public func increment<Object: ManagedObject, Number: ManagedAttribute & Numeric>(
        _ key: KeyPath<Object, Number?>, by amount: Number, of object: Object
    ) throws {
        try editor.increment(key, by: amount, of: object)
    }
}
