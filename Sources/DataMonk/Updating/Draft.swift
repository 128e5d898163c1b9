public import DataMonkCore

/// **Shared**, on the main actor. Objects to edit on the main actor: a form, a sheet, a document not saved yet.
///
///     let draft = World.draft()
///     let monk = try draft.use(shownMonk)             // the draft's own object
///     monk.name = "Abbot"
///     try await draft.commit()                        // on disk, and shown by `World`
///
/// A draft begins as what its main context shows. Objects that it has not changed follow that; a changed one keeps the
/// version that its changes started from, and `hasConflict` says when others have committed a newer one. The merge policy
/// settles that at the commit.
///
/// A draft that ends without a commit leaves no trace. It can take steps back and make them again, also over a commit; a
/// step is what one turn of the main actor changed:
///
///     draft.undo()                                    // "Monk", to be committed as any change
///     draft.redo()                                    // "Abbot"
///
/// A draft is two contexts, one over the other: the *desk*, where its objects are, and under it the *outbox*, whose parent
/// is the main context's. A commit saves the desk into the outbox, at once, and the outbox into the store, on another
/// thread. So what is on its way is frozen, and the desk can be edited meanwhile; what could not be committed is put back
/// on the desk, under the edits made since.
///
///     editing --commit--> committing --stored--> editing, shown by the main context
///                             +-------failed---> editing, with everything as before
///
/// Invariants:
/// 1. One commit at a time uses the outbox; others wait for it in `gate`.
/// 2. While a commit awaits the store, nothing changes what is in the outbox.
/// 3. Between commits the outbox knows no object: the desk reads from the main context's.
@preconcurrency @MainActor
public final class Draft {
    /// Gives back what reading opens, and outlives the draft.
    private let context: MainContext
    private let outbox: ManagedObjectContext
    private let desk: ManagedObjectContext
    let editor: Editor
    private let writer: StoreWriter
    /// Invariant 1.
    private let gate = UpdateGate()
    /// Whether the user event under way ends with this turn of the main actor.
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
        desk.undoManager = ContextUndoManager()
        desk.eventDidBegin = { [weak self] in
            // Called inside a change on the main actor: every use of the desk is.
            MainActor.assumeIsolated { self?.endEventLater() }
        }
    }

    // On the main actor: objects that somebody there still holds are cut loose.
    isolated deinit {}

    /// The engine's context that the draft's objects are in.
    public var managedObjectContext: ManagedObjectContext { desk }

    /// Whether there is anything to commit; what a commit is writing at this moment does not count.
    public var hasChanges: Bool { desk.hasChanges }

    /// The changed objects of which others have committed a newer version. See ``ManagedObject/hasConflict``.
    public var conflicts: [ManagedObject] {
        (desk.updatedObjects + desk.deletedObjects).filter(\.hasConflict)
    }

    /// Writes every change into the store; on disk when it returns, and shown by the main context.
    ///
    /// What is committed is what there is at the call, or when the draft's commits before it have ended: edits made while it
    /// awaits the store stay in the draft. It stands outside of any order of updates, and meets those by the merge policy. If it throws, nothing was written, and everything is still there to
    /// commit again or to take back.
    ///
    /// - Parameter deadline: how long it waits for its turn; nil for as long as others go on.
    /// - Throws: ``SaveError`` for invalid objects, for conflicts under the policy `error`, and with the code `unreadValues`
    ///   after a property could not be read or set; ``StoreError`` if the store fails; `CancellationError` if the task is
    ///   cancelled before the commit's turn comes; ``UpdateError`` if it reaches the deadline.
    public func commit(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let outer = UpdateScope.partyOfThisFlow
        let party = WaitParty(UpdateCall("commit", fileID, line), canSuspend: true, outer: outer)
        if let outer { WaitGraph.shared.add(outer, waitingFor: .party(party)) }
        defer { if let outer { WaitGraph.shared.remove(outer, waitingFor: .party(party)) } }
        let patience: Entrance.Patience =
            deadline.map { .until(.now + $0) } ?? .untilStalled(context.updater.settings.deadline)
        var turn = Entrance(party, through: [gate])
        try await turn.enter(patience)
        defer { turn.leave() }
        try desk.save()
        do {
            try await writeOutbox()
        } catch {
            desk.takeBack()
            throw error
        }
        // Invariant 3. Before that the main context takes over what was committed, so that the desk goes on seeing it.
        context.managedObjectContext.mergeCommits()
        outbox.reset()
    }

    private func writeOutbox() async throws {
        guard outbox.hasChanges else { return }
        let writer = writer
        // Invariant 2: only this draft's commits reach the outbox, and the gate keeps other ones out.
        try await outbox.save { changes, origin in try await writer.commit(changes, from: origin) }
    }

    private func endEventLater() {
        if endsEvent { return }
        endsEvent = true
        Task { @MainActor in
            endsEvent = false
            desk.processPendingChanges()
        }
    }

    /// Takes back every change since the last commit; not those that a commit is writing at this moment.
    public func rollback() { editor.rollback() }

    /// Lets the next commit go through although properties could not be read or set: what was computed from an empty value
    /// is committed. See ``ManagedObjectContext/disregardFailedReads()``.
    public func disregardFailedReads() { editor.disregardFailedReads() }

    // MARK: Undo

    /// What takes changes back: with names for menus, groups, and a bound of 100 steps that can be set. Nil for a draft that
    /// is not to keep any account of them.
    public var undoManager: ContextUndoManager? {
        get { desk.undoManager }
        set { desk.undoManager = newValue }
    }

    /// Takes the last step back, if there is one; see ``ContextUndoManager/undo()``.
    ///
    /// A commit does not clear the steps: undoing past it makes changes again, for the next commit to write.
    public func undo() { desk.undo() }

    /// Makes the step again that was taken back last, if there is one; see ``ContextUndoManager/redo()``.
    public func redo() { desk.redo() }

    // MARK: Changing

    /// Makes a new object with its default values. See ``Editor/create(_:)``.
    public func create<Object: ManagedObject>(_ type: Object.Type) throws -> Object { try editor.create(type) }

    /// The first object that meets the condition, or a new one that does. See ``Editor/fetchOrCreate(_:_:)``.
    public func fetchOrCreate<Object: ManagedObject>(_ type: Object.Type, _ query: Query) throws -> Object {
        try editor.fetchOrCreate(type, query)
    }

    /// Deletes an object with the next commit; its relationships' delete rules apply.
    public func delete(_ object: ManagedObject) throws { try editor.delete(object) }

    /// Deletes some objects with the next commit.
    public func delete(_ objects: [ManagedObject]) throws { try editor.delete(objects) }

    /// Adds an amount to a number of an object. See ``Editor/increment(_:by:of:)-(_,_,ObjectID<Object>)``.
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

    // MARK: Reading
    // Each call stands here, on the main actor's own type, as those of `MainContext` do. What a call does is said at
    // `Reader`; unsaved changes of the draft take part.

    /// The draft's object for an object of another context, such as one that the main context shows.
    public func use<Object: ManagedObject>(_ object: Object) throws -> Object { try editor.use(object) }

    /// The draft's objects for objects of another context.
    public func use<Object: ManagedObject>(_ objects: [Object]) throws -> [Object] { try editor.use(objects) }

    /// The object with an id.
    public func use<Object: ManagedObject>(_ id: ObjectID<Object>) throws -> Object { try editor.use(id) }

    /// The objects with some ids.
    public func use<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws -> [Object] { try editor.use(ids) }

    /// The first object that meets a condition.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object {
        try editor.fetch(type, query, orderBy: orderBy, options: options)
    }

    /// The objects that meet a condition, in an order.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        try editor.fetchAll(type, query, orderBy: orderBy, options: options)
    }

    /// How many objects meet a condition.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Int {
        try editor.count(type, query, options: options)
    }
}
