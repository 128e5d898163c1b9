/// **Confined.** A workspace over a coordinator's stores: one object for each row it knows, and the changes to save.
///
/// An application meets contexts as `MainContext`, `Update` and `Reader`; this is the engine under them, to be used
/// directly by those who build their own set-up.
///
///     let context = ManagedObjectContext(coordinator: coordinator)
///     let person = try context.insert(Person.self)
///     person.name = "Monk"
///     try context.save()
///
/// A context stands at a *generation* (a commit's number) and advances only in calls that say so (`fetch`, `count`,
/// `refresh…`, `mergeCommits`, `save`), all at once: between such calls no object changes by itself. Each such call
/// shows the newest commit, of this process or of another one, and holds no snapshot of the store when it returns; nor
/// does a property that was read from the store. A context for reading advances as well where a property is the first
/// that has to be read in a turn, and another process has committed: see `meetForeignCommits()`.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. Every object reachable through the context is registered, once, under its key.
/// 2. `changed` holds each object with unsaved changes once, in the order of their first change, and perhaps some whose
///    changes were taken back.
/// 3. `snapshot` is nil or stands at `generation` or later; between turns it is nil.
/// 4. A clean object that is no fault holds the values of `generation`, if the context follows commits.
/// 5. An object has a draft only while it is in `changed`: what is not in there may leave the context.
/// 6. Between calls `callsAtWork` is zero, and a snapshot is held only by a context that somebody runs, and only one that
///    is not its store's last.
/// 7. No draft is sealed but while a save is being written.
public final class ManagedObjectContext {
    /// Whose stores the context reads and writes, by itself or through its parents.
    public let coordinator: PersistentStoreCoordinator
    /// The context that this one reads through and saves into; nil for a root, which does both with the stores.
    public let parent: ManagedObjectContext?
    /// What a save writes into the history as the context's name.
    public var name: String?
    /// What a save writes into the history as the transaction's author.
    public var transactionAuthor: String?
    /// Which side wins when a save meets changes that others made.
    public var mergePolicy: MergePolicy
    /// Whether writing to an object of this context is misuse: a context that shows the data and is edited elsewhere.
    public let isReadOnly: Bool

    /// Whether the context keeps every object that it knows; if not, clean objects that nobody holds leave it by and by.
    public var retainsRegisteredObjects = false {
        didSet { sweepThreshold = retainsRegisteredObjects ? .max : Self.minimumSweepThreshold }
    }

    /// Whether an object whose row turns out to be gone counts as deleted, with no values: `isDeleted` is true, properties
    /// are empty and `value(forKey:)` gives null. If not, each access to it fails: `value(forKey:)` throws, and properties
    /// read as empty and report the error to the stack's handler.
    ///
    /// `fault()` throws `objectNotFound` either way: it is the call that asks whether there are values.
    public var shouldDeleteInaccessibleFaults = true
    /// What happens when a property has to be read from the store at the moment it is touched.
    public var lazyLoading: LazyLoading

    package let directory: ObjectDirectory
    package let id: ContextID
    /// Whether clean objects take over what others commit when the context advances. Of no meaning for a child.
    package let followsCommits: Bool
    /// Whether the coordinator knows where the context stands: from its first read on. Before it the context has no row.
    var isStanding = false
    /// Whether clean objects of a child take over what its parent saves, and what its parent takes over from others. If
    /// not, they keep their values until they are refreshed. Of no meaning for a root, which is told when it is made.
    public var automaticallyMergesChangesFromParent: Bool
    /// Those who read through this context.
    @exclusivity(unchecked) var children = ContextFamily()
    // Unchecked exclusivity: confined, and every access ends before the next one begins; by-id reads make a dozen each.
    package let identities = IdentityMap()
    @exclusivity(unchecked) package var arena = RowArena()
    /// How many registered objects make a sweep due.
    @exclusivity(unchecked) var sweepThreshold = ManagedObjectContext.minimumSweepThreshold
    /// Whether the running code may touch the context and its objects: the second line of defence behind the compiler,
    /// for code in Swift 5 mode. Asked on entry of calls, and by each property access in debug builds.
    @exclusivity(unchecked) package var isOwnedByCaller: (@Sendable () -> Bool)?
    /// Called when a snapshot was opened: whoever runs the context calls `endTurn()` before it idles.
    package var snapshotDidOpen: (() -> Void)?

    /// The turn at work. A child's is its root's.
    @exclusivity(unchecked) package var turn = ReadingTurn()

    /// Called when something changes for the first time in a user event, if there is a journal: whoever runs the context
    /// sees to it that `processPendingChanges()` ends the event.
    package var eventDidBegin: (() -> Void)?

    /// The stores that new objects of the family were assigned to, by their temporary keys; a root's alone.
    @exclusivity(unchecked) var assignments: [ObjectKey: Int] = [:]
    /// When the fetches and commits of the code that has the context have to have ended. Set by whoever runs the context.
    @exclusivity(unchecked) package var deadline: ContinuousClock.Instant?

    @exclusivity(unchecked) var changed: ContiguousArray<ManagedObject> = []
    /// Deleted objects whose delete rules are still to be applied.
    @exclusivity(unchecked) var pendingDeletions = PendingDeletions()
    /// What the references among the unsaved changes lean on; a root's alone.
    @exclusivity(unchecked) var references = ReferenceBasis()
    /// There while somebody wants to know what user events change.
    @exclusivity(unchecked) var journal: EventJournal?
    @exclusivity(unchecked) var saveObservers = ObserverList<SaveNotice>()
    /// How often the context was reset: objects from before are no more.
    var resetCount = 0
    /// Whether an object was changed whose row could not be read: the next save reads it first.
    @exclusivity(unchecked) var hasDraftsWithoutRow = false
    /// Whether a save of the context is calling hooks, observers or merge policies.
    @exclusivity(unchecked) var isPreparingSave = false
    /// Whether to-manys are asked for to learn which they are.
    @exclusivity(unchecked) var toManyProbe = ToManyProbe.none
    /// Calls that have begun and not ended, one inside the other.
    @exclusivity(unchecked) var callsAtWork = 0
    /// The to-one read last that leads to a fault.
    @exclusivity(unchecked) var lastToOne: ToOneStep?
    /// Reads and writes of properties that failed where no error could be thrown: they stand in the way of saves.
    @exclusivity(unchecked) var failures = FailedAccesses()
    @exclusivity(unchecked) var snapshot: StoreSnapshot?
    /// Where a root stands; a child stands where its root does, at every moment.
    @exclusivity(unchecked) var generation: Generation
    /// What is still to be taken over of the generation; nil for nothing, and while it is being taken over.
    @exclusivity(unchecked) var mergeRest: MergeRest?
    /// How many objects the merge at work has changed, and the most that one slice of merging ever has; for tests.
    @exclusivity(unchecked) var touchedByMerge = 0
    package var largestMerge = 0
    /// How old a row of the row cache may be, in milliseconds; negative for any age.
    @exclusivity(unchecked) var maximumRowAge: Int64 = -1
    /// The entity of the class that was asked for last: objects of one class are made in rows.
    @exclusivity(unchecked) var lastEntity: (type: ObjectIdentifier, entity: Entity)?
    /// By the entity's index, as far as entities have been asked for.
    @exclusivity(unchecked) private var homes: ContiguousArray<ObjectHome?> = []
    private var temporaryKeys: Range<Int64> = 0..<0

    /// Makes an empty context.
    ///
    /// - Parameters:
    ///   - coordinator: whose stores it reads and writes.
    ///   - followsCommits: whether clean objects take over what other contexts commit when the context advances. If
    ///     not, they keep their values until they are refreshed or the context is reset.
    public init(
        coordinator: PersistentStoreCoordinator, mergePolicy: MergePolicy = .error, followsCommits: Bool = true,
        isReadOnly: Bool = false
    ) {
        self.coordinator = coordinator
        self.mergePolicy = mergePolicy
        self.isReadOnly = isReadOnly
        lazyLoading = coordinator.lazyLoading
        parent = nil
        automaticallyMergesChangesFromParent = followsCommits
        directory = coordinator.directory
        id = coordinator.newContextID()
        self.followsCommits = followsCommits
        generation = coordinator.publishedGeneration
    }

    /// Makes a child: an empty context that sees its parent's objects as they are there, unsaved changes included, and
    /// saves into it.
    ///
    ///     let child = ManagedObjectContext(parent: context)
    ///     try child.insert(Person.self).name = "Monk"
    ///     try child.save()                                // a new object of `context`; no store has it
    ///     try context.save()                              // on disk
    ///
    /// A child lives where its parent lives, and keeps it alive. It may have children itself. What it does with its
    /// parent is told at `ContextFamily`.
    ///
    /// - Parameters:
    ///   - parent: what it reads through and saves into.
    ///   - mergePolicy: what happens to its changes of objects that are gone from the parent when it saves.
    ///   - automaticallyMergesChangesFromParent: see there.
    public init(
        parent: ManagedObjectContext, mergePolicy: MergePolicy = .error,
        automaticallyMergesChangesFromParent: Bool = false
    ) {
        self.parent = parent
        lazyLoading = parent.lazyLoading
        self.mergePolicy = mergePolicy
        self.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
        coordinator = parent.coordinator
        isReadOnly = false
        directory = parent.directory
        id = coordinator.newContextID()
        followsCommits = false
        generation = parent.generation
        isOwnedByCaller = parent.isOwnedByCaller
        parent.adopt(self)
    }

    deinit {
        // Release only: no object is asked for anything, nothing is unregistered one by one.
        if isStanding { coordinator.contextDidClose(id) }
        snapshot?.end()
        for object in identities.objects { object.toManys = [] }
        for home in homes { home?.context = nil }
    }

    /// Stops code that uses the context from where it must not be used.
    func requireOwner() {
        precondition(
            isOwnedByCaller?() ?? true,
            """
            A context was used outside of the code it belongs to: a MainContext is for the main actor, an update for its \
            body and its performs. Take ids across (`object.objectID`) and `use` them there.
            """)
    }

    /// The same in calls that are too short for it: in debug builds, and with the package trait `OwnerChecks`.
    func checkOwner() {
        #if DEBUG || OwnerChecks
            requireOwner()
        #endif
    }

    // MARK: Objects

    func home(of entityIndex: Int) -> ObjectHome {
        if entityIndex < homes.count, let home = homes[entityIndex] { return home }
        return makeHome(of: entityIndex)
    }

    @inline(never)
    private func makeHome(of entityIndex: Int) -> ObjectHome {
        while homes.count <= entityIndex { homes.append(nil) }
        let home = ObjectHome(layout: directory.layouts[entityIndex], context: self)
        homes[entityIndex] = home
        return home
    }

    /// Makes and registers the object of a key: a fault.
    func makeObject(for key: ObjectKey) -> ManagedObject {
        makeObject(ObjectSeed(key: key, home: home(of: key.entityIndex)))
    }

    /// Makes and registers the object of a key, with the row at `pointer` in `block`.
    func makeObject(for key: ObjectKey, at pointer: UnsafeRawPointer, in block: RowBlock) -> ManagedObject {
        makeObject(ObjectSeed(key: key, home: home(of: key.entityIndex), row: pointer, holdings: block))
    }

    @inline(__always)
    private func makeObject(_ seed: consuming ObjectSeed) -> ManagedObject {
        let object = directory.layouts[seed.key.entityIndex].objectClass.init(seed)
        identities.register(object)
        return object
    }

    /// Makes and registers an object that comes by itself: no cohort is loaded for it.
    func makeLoneObject(for key: ObjectKey, with row: Row) -> ManagedObject {
        let object = makeObject(for: key, at: row.pointer, in: row.block)
        object.state.insert(.beginsCohort)
        return object
    }

    /// The object of a key; a fault if the context did not know it.
    package func object(for key: ObjectKey) -> ManagedObject {
        identities.find(key) ?? makeObject(for: identities.currentKey(key))
    }

    func newTemporaryKey(entity: Int) -> ObjectKey {
        if temporaryKeys.isEmpty {
            let first = directory.reserveTemporaryKeys(256)
            temporaryKeys = first..<first + 256
        }
        defer { temporaryKeys = temporaryKeys.lowerBound + 1..<temporaryKeys.upperBound }
        return ObjectKey(temporary: temporaryKeys.lowerBound, entity: entity)
    }

    /// Notes that an object has something to save.
    func track(_ object: ManagedObject) {
        if object.state.contains(.tracked) { return }
        object.state.insert(.tracked)
        changed.append(object)
    }
}

@available(*, unavailable)
extension ManagedObjectContext: Sendable {}
