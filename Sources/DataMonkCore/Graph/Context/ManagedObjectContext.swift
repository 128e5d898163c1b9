package import Synchronization

/// **Confined.** A workspace over a coordinator's stores: one object for each row that it knows, and the changes to save.
///
/// Applications use contexts as `MainContext`, `Update` and `Reader`. This type is the engine beneath them, and can be
/// used directly to build a custom setup.
///
///     let context = ManagedObjectContext(coordinator: coordinator)
///     let person = try context.insert(Person.self)
///     person.name = "Monk"
///     try context.save()
///
/// A context stands at a *generation* (the number of a commit). It advances only in calls that say so (`fetch`, `count`,
/// `refresh…`, `mergeCommits`, `save`), and then merges everything at once; between such calls, no object changes by
/// itself. Each such call shows the newest commit, of this process or of another one, and holds no snapshot of the store
/// when it returns; nor does a property that was read from the store. A read-only context also advances when a property
/// is the first one to be read from the store in a turn, and another process has committed: see `meetForeignCommits()`.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. Every object reachable through the context is registered, once, under its key.
/// 2. `changed` contains each object with unsaved changes once, in the order of their first change, and possibly some
///    whose changes were reverted.
/// 3. `snapshot` is `nil` or of `generation` or a later one; between turns it is `nil`.
/// 4. A clean object that is not a fault has the values of `generation`, if the context follows commits.
/// 5. An object has a draft only while it is in `changed`: other objects may leave the context.
/// 6. Between calls, `callsAtWork` is zero, and a snapshot is held only by a context with an owner that ends its turns,
///    and only if it does not use a store's last reader.
/// 7. A draft is sealed only while a save is being written.
public final class ManagedObjectContext {
    /// The coordinator of the stores that the context reads and writes, directly or through its parents.
    public let coordinator: PersistentStoreCoordinator
    /// The context that this one reads through and saves into; `nil` for a root, which uses the stores directly.
    public var parent: ManagedObjectContext? { backing.ancestors.first }
    /// The name of the context that saves record in the history.
    @exclusivity(unchecked) public var name: String?
    /// The author that saves record in the history.
    @exclusivity(unchecked) public var transactionAuthor: String?
    /// The policy that resolves conflicts between a save and the changes of others.
    public var mergePolicy: MergePolicy
    /// Indicates whether writing to objects of this context is a programming error: the context displays the data, which
    /// is edited elsewhere.
    public let isReadOnly: Bool

    /// Indicates whether the context keeps all its objects. If not, unreferenced clean objects are removed lazily.
    public var retainsRegisteredObjects = false {
        didSet { if retainsRegisteredObjects != oldValue { retainingDidChange() } }
    }

    /// Indicates whether an object whose row turns out not to exist counts as deleted and has no values: `isDeleted` is
    /// `true`, properties are empty and `value(forKey:)` returns null. Otherwise, each access to it fails:
    /// `value(forKey:)` throws, and properties read as empty and report the error to the stack's handler.
    ///
    /// `fault()` throws `objectNotFound` in either case, because it is the call that checks whether there are values.
    public var shouldDeleteInaccessibleFaults = true
    /// The behavior when the first access to a property has to read from the store.
    public var lazyLoading: LazyLoading

    /// The part of the stores that has been read since `recordingReads` began.
    @exclusivity(unchecked) var readRegion: ReadRegion?
    /// Indicates whether steps to objects that were read before are noted in it as well. Set on roots only.
    @exclusivity(unchecked) var notesSteps = false

    package let directory: ObjectDirectory
    package let id: ContextID
    /// Indicates whether clean objects take the values of others' commits when the context advances. Ignored for
    /// children.
    package let followsCommits: Bool
    /// Indicates whether clean objects of a child take the values that its parent saves and merges. If not, they keep
    /// their values until they are refreshed. Ignored for root contexts, which use `followsCommits`.
    public var automaticallyMergesChangesFromParent: Bool
    /// The contexts that read through this one.
    @exclusivity(unchecked) var children = ContextFamily()
    // Unchecked exclusivity: confined, and every access ends before the next one begins. Reads by id make a dozen each.
    package let identities = IdentityMap()
    let backing: ContextBacking
    package let stores: StoreBacking
    package let faults: FaultLoader
    package let graph: RelationshipGraph
    package let work: UnitOfWork
    @exclusivity(unchecked) package var arena = RowArena()
    @exclusivity(unchecked) var sweeps = SweepSchedule()
    /// Returns `true` if the running code may use the context and its objects. This is the second line of defense after
    /// the compiler, for code in Swift 5 mode. Checked on entry to calls, and by each property access in debug builds.
    @exclusivity(unchecked) package private(set) var isOwnedByCaller: (@Sendable () -> Bool)?
    /// Called at the first change of a user event, if there is a journal: the owner of the context then ensures that
    /// `processPendingChanges()` ends the event.
    package var eventDidBegin: (() -> Void)?

    /// The error with which `save()` is refused, because only the owner of the context saves it. `nil` if it is not.
    @exclusivity(unchecked) package var refusalToSave: (any Error)?

    /// Called when a list of the family could not follow an event: the owner of the context then ensures that
    /// `catchUpLists()` is called later. Set on roots only.
    package var listDidFallBehind: (() -> Void)?

    /// Indicates whether a save or a batch request of the context has written something into the stores, or may have. Atomic,
    /// since the owner's other threads may ask.
    package let hasWritten = Atomic(false)
    /// Called when that has happened.
    @exclusivity(unchecked) private var didWrite: (@Sendable () -> Void)?
    /// Returns the time by which the fetches and commits of the running code must have ended. Set by the owner of the
    /// context.
    @exclusivity(unchecked) package var deadlineOfCaller: (@Sendable () -> ContinuousClock.Instant?)?

    /// The journal of the current user event; present while there are observers or an undo manager.
    @exclusivity(unchecked) var journal: EventJournal?
    @exclusivity(unchecked) var saveObservers = ObserverList<SaveNotice>()
    /// The number of resets of the context: objects from before a reset no longer belong to it.
    var resetCount = 0
    /// The preparation of the merge of the next commit, if it is a large one.
    @exclusivity(unchecked) var preparedMerge: PreparedMerge?
    /// The entity of the last requested class: objects of one class are usually created in succession.
    @exclusivity(unchecked) var lastEntity: (type: ObjectIdentifier, entity: Entity)?
    /// The homes by entity index, `nil` for the entities not requested so far.
    @exclusivity(unchecked) private var homes: ContiguousArray<EntityBinding?> = []
    private var temporaryKeys: Range<Int64> = 0..<0

    /// Creates an empty context.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator of the stores that the context reads and writes.
    ///   - followsCommits: Whether clean objects take the values that other contexts commit when the context advances. If
    ///     not, they keep their values until they are refreshed or the context is reset, except for the commits of its own
    ///     children.
    public init(
        coordinator: PersistentStoreCoordinator, mergePolicy: MergePolicy = .error, followsCommits: Bool = true,
        isReadOnly: Bool = false
    ) {
        self.coordinator = coordinator
        self.mergePolicy = mergePolicy
        self.isReadOnly = isReadOnly
        lazyLoading = coordinator.lazyLoading
        automaticallyMergesChangesFromParent = followsCommits
        directory = coordinator.directory
        id = coordinator.newContextID()
        self.followsCommits = followsCommits
        stores = StoreBacking(coordinator: coordinator, identities: identities, id: id)
        backing = stores
        faults = FaultLoader(stores: stores, identities: identities)
        graph = RelationshipGraph(coordinator: coordinator, identities: identities)
        work = UnitOfWork(coordinator: coordinator, identities: identities)
        attachParts()
    }

    /// Creates a child: an empty context that sees its parent's objects in their current state, including unsaved
    /// changes, and saves into it.
    ///
    ///     let child = ManagedObjectContext(parent: context)
    ///     try child.insert(Person.self).name = "Monk"
    ///     try child.save()                                // a new object of `context`; no store has it
    ///     try context.save()                              // on disk
    ///
    /// A child runs where its parent runs, and keeps it alive. It may have children itself. See `ContextFamily` for its
    /// relation to its parent.
    ///
    /// - Parameters:
    ///   - parent: The context that the child reads through and saves into.
    ///   - mergePolicy: The resolution of conflicts, when it saves, with deletions in the parent of objects that it has
    ///     changed.
    ///   - automaticallyMergesChangesFromParent: The initial value of the property with this name.
    public init(
        parent: ManagedObjectContext, mergePolicy: MergePolicy = .error,
        automaticallyMergesChangesFromParent: Bool = false
    ) {
        lazyLoading = parent.lazyLoading
        self.mergePolicy = mergePolicy
        self.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
        coordinator = parent.coordinator
        isReadOnly = false
        directory = parent.directory
        id = coordinator.newContextID()
        followsCommits = false
        isOwnedByCaller = parent.isOwnedByCaller
        stores = parent.stores
        backing = ParentBacking(parent, identities: identities)
        faults = FaultLoader(stores: stores, identities: identities)
        graph = RelationshipGraph(coordinator: coordinator, identities: identities)
        work = UnitOfWork(coordinator: coordinator, identities: identities)
        attachParts()
        parent.adopt(self)
    }

    private func attachParts() {
        backing.attach(to: self)
        faults.attach(to: self)
        graph.attach(to: self)
        work.attach(to: self)
    }

    deinit {
        // Release only: no code of objects is called, and nothing is unregistered individually.
        for object in identities.objects { object.toManys = [] }
        for home in homes { home?.context = nil }
    }

    /// Gives the context an owner, who ends each of its turns by `endTurn()`. Called once, before anything else. In one
    /// call, because each property that another module sets is checked for exclusivity.
    package func setOwner(
        isCaller: @escaping @Sendable () -> Bool, deadline: (@Sendable () -> ContinuousClock.Instant?)? = nil,
        didWrite: (@Sendable () -> Void)? = nil
    ) {
        stores.turn.endsWithEachCall = false
        isOwnedByCaller = isCaller
        deadlineOfCaller = deadline
        self.didWrite = didWrite
    }

    /// Records that a save or a batch request has written something into the stores.
    func noteWriting() {
        hasWritten.store(true, ordering: .releasing)
        didWrite?()
    }

    /// Records the error of a save or a batch request, of which something may be in the stores nevertheless.
    func noteFailedWriting(_ error: any Error) {
        if (error as? StoreError)?.mayHaveCommitted == true { hasWritten.store(true, ordering: .releasing) }
    }

    /// Stops the program if the calling code must not use the context.
    func requireOwner() {
        if let isOwnedByCaller, !isOwnedByCaller() { stopOutsideOwner() }
    }

    @inline(never)
    private func stopOutsideOwner() -> Never {
        stopProgram(
            """
            A context was used outside the code that owns it: a MainContext belongs to the main actor, an update's \
            context to the update's body and its performs. Pass object ids instead (`object.objectID`), and get the \
            objects there with `use`.
            """)
    }

    /// The same in calls that are too short for it: in debug builds, and with the package trait `OwnerChecks`.
    func checkOwner() {
        #if DEBUG || OwnerChecks
            requireOwner()
        #endif
    }

    // MARK: Objects

    func home(of entityIndex: Int) -> EntityBinding {
        if entityIndex < homes.count, let home = homes[entityIndex] { return home }
        return makeHome(of: entityIndex)
    }

    @inline(never)
    private func makeHome(of entityIndex: Int) -> EntityBinding {
        if homes.count <= entityIndex {
            homes.append(contentsOf: repeatElement(nil, count: entityIndex + 1 - homes.count))
        }
        let home = EntityBinding(layout: directory.layouts[entityIndex], context: self)
        homes[entityIndex] = home
        return home
    }

    /// Creates and registers the object for a key, as a fault.
    func makeObject(for key: ObjectKey) -> ManagedObject {
        makeObject(ObjectSeed(key: key, home: home(of: key.entityIndex)))
    }

    /// Creates and registers the object for a key, with the row at `pointer` in `block`.
    func makeObject(for key: ObjectKey, at pointer: UnsafeRawPointer, in block: RowBlock) -> ManagedObject {
        makeObject(ObjectSeed(key: key, home: home(of: key.entityIndex), row: pointer, objectStorage: block))
    }

    @inline(__always)
    private func makeObject(_ seed: consuming ObjectSeed) -> ManagedObject {
        let object = directory.layouts[seed.key.entityIndex].objectClass.init(seed)
        identities.register(object)
        return object
    }

    /// Creates and registers a single object, which is not part of a cohort.
    func makeLoneObject(for key: ObjectKey, with row: Row) -> ManagedObject {
        let object = makeObject(for: key, at: row.pointer, in: row.block)
        object.state.insert(.beginsCohort)
        return object
    }

    /// Returns the object for a key; a fault if it was not registered.
    package func object(for key: ObjectKey) -> ManagedObject {
        if let known = identities.find(key) { return known }
        let current = identities.currentKey(key)
        return (current == key ? nil : identities.find(current)) ?? makeObject(for: current)
    }

    func newTemporaryKey(entity: Int) -> ObjectKey {
        if temporaryKeys.isEmpty {
            let first = directory.reserveTemporaryKeys(256)
            temporaryKeys = first..<first + 256
        }
        defer { temporaryKeys = temporaryKeys.lowerBound + 1..<temporaryKeys.upperBound }
        return ObjectKey(temporary: temporaryKeys.lowerBound, entity: entity)
    }

    /// Makes a stored row the object's values. Transient values, which stores do not contain, are kept.
    func adopt(_ row: Row, as object: ManagedObject) {
        if object.home.layout.transientSlots.isEmpty { return object.adopt(row) }
        guard let own = object.row else { return object.adopt(row) }
        let layout = object.home.layout
        let draft = DraftRow(copying: row.pointer, of: layout, base: nil)
        layout.copyTransients(from: own, to: draft)
        object.adopt(layout.seal(draft, version: row.version, in: &arena))
    }
}

@available(*, unavailable)
extension ManagedObjectContext: Sendable {}
