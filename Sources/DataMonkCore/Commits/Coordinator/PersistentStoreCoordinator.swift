import Dispatch
import Foundation
import Synchronization

/// **Shared.** Connects a model to its stores: contexts read and commit through it.
///
/// Change sets go down, through the commit queue to a store transaction. Commits come up, through the row cache to the
/// notices that contexts merge. The coordinator never calls into a context.
///
/// The ledger and the stores, the row cache, and the notices have a lock each. Those of the cache and of the notices may be
/// taken while `shared` is held, and no other while one of them is. No store is accessed under any of them.
public final class PersistentStoreCoordinator: Sendable {
    /// The model, whose entities the stores contain.
    public let model: ManagedObjectModel

    package let directory: ObjectDirectory
    let shared: Locked<Shared>
    let rows = Locked(CachedRows())
    let notices = CommitNotices()
    /// The last published generation of the ledger, written under the lock. Every fetch checks it, most often to find
    /// that nothing has changed.
    let published = Atomic<UInt64>(Generation.opened.rawValue)
    /// Indicates whether `shared.waitingMetadata` is not empty, so that commits need not check it.
    let isMetadataWaiting = Atomic(false)
    let queue: CommitQueue<CommitMember, CommitResult>
    /// Those who are told of each commit after its publication, on the committing thread and outside of all locks. When a
    /// reader finds commits of other processes, they are called on the reader's thread with an empty set that has
    /// ``ChangeSet/comesWithForeignChanges``.
    package let commitObservers: SharedObservers<ChangeSet>
    /// Those who are told in the same way, but only which entities and slots have changed. They are told that everything has
    /// when stores are added or closed.
    package let summaryObservers = SharedObservers<ChangeSummary>()
    /// The last id of a context.
    private let lastID = Atomic<UInt64>(0)
    /// The identifiers of stores at which the last look for other processes' commits failed.
    let storesNotSeen = Locked<Set<UUID>>([])
    private let lazyLoadingOfContexts = Locked(LazyLoading.automatic)

    /// **Value.** A fact by which a reader recognizes whether its snapshot contains a commit.
    enum CommitProbe: Sendable {
        /// The object's row has this version or a later one.
        case version(of: ObjectKey, Int64)
        /// The primary keys of the key's entity have been reserved up to this one.
        case primaryKey(ObjectKey)
    }

    /// The state guarded by `shared`.
    struct Shared {
        var ledger = GenerationLedger<CommitProbe>()
        var stores: [any PersistentStore] = []
        var isClosed = false
        /// New metadata that waits for a commit, by store index.
        var waitingMetadata: [Int: [String: ManagedValue]] = [:]
        /// Indicates whether observers have yet to be notified of other processes' commits that a running commit has
        /// detected.
        var hasForeignChangesToTell = false
        /// The readers that wait for the end of the commit in flight.
        fileprivate(set) var waitingReaders: [Wakeup<Void>] = []

        /// Wakes the readers that wait, to look whether the commit has ended.
        mutating func wakeReaders() {
            if waitingReaders.isEmpty { return }
            for reader in waitingReaders { reader.wake(with: ()) }
            waitingReaders = []
        }

        /// Returns the wake-up of a reader that waits.
        mutating func addReader() -> Wakeup<Void> {
            let wakeup = Wakeup<Void>()
            waitingReaders.append(wakeup)
            return wakeup
        }
    }

    /// The state guarded by `rows`.
    struct CachedRows {
        var cache = RowCache<Row>()
        /// The time since which the ages of rows are recorded; `nil` while no context uses them, in which case the clock
        /// is not read.
        var clockStart: ContinuousClock.Instant?

        /// The row cache's clock in milliseconds; a time long ago while it is not running.
        var now: Int64 {
            clockStart.map { Int64(($0.duration(to: .now)) / .milliseconds(1)) } ?? .min
        }
    }

    /// Creates a coordinator without stores.
    public convenience init(model: ManagedObjectModel) { self.init(model: model, commonObservers: nil) }

    /// Creates a coordinator without stores.
    ///
    /// - Parameter commonObservers: Those who are told of its commits like its own observers.
    package init(model: ManagedObjectModel, commonObservers: SharedObservers<ChangeSet>?) {
        self.model = model
        commitObservers = SharedObservers(and: commonObservers)
        directory = ObjectDirectory(model: model)
        shared = Locked(Shared())
        queue = CommitQueue { [directory] error in directory.report(StoreError.retriedCommit(error)) }
    }

    // MARK: Stores

    /// Adds a store. Its index among the stores is part of its objects' keys.
    package func add(_ store: any PersistentStore) throws {
        try requireRoom(forConfiguration: store.configuration)
        let known = stores
        // A copy of the file, or the same file by another path such as a link: each object would exist twice, with the
        // same URI.
        if let twin = known.first(where: { $0.identifier == store.identifier }) {
            throw StoreError.addedTwice(store.url, as: twin.url)
        }
        let index = directory.addStore(store.identifier)
        // Before anybody can use the store: a commit that is found without an observer is not looked for again. Unowned,
        // since only the coordinator's own calls make the store look for commits. With a weak reference to it, every commit
        // would take longer: Swift then keeps the reference count of the coordinator elsewhere.
        store.observeForeignCommits { [unowned self] in takeForeignCommits(isCommitting: $0) }
        shared.withLock { shared in
            precondition(index == shared.stores.count, "Stores are added one at a time")
            shared.stores.append(store)
        }
    }

    /// Lets contexts move on to what an added store contains, as after a commit of unknown changes. Does not wait for a
    /// commit that is being written, after which they do.
    package func noteAddedStore() {
        if let tell = takeForeignCommits(isCommitting: false) { return tell() }
        DispatchQueue.global(qos: .utility).async { [self] in
            do { try queue.commitAlone { noteForeignChanges() } } catch { report(error) }
        }
    }

    /// Checks that a store with a configuration can be added.
    package func requireRoom(forConfiguration configuration: String?) throws {
        guard configuration == nil || model.entities(inConfiguration: configuration) != nil else {
            throw StoreError.unknownConfiguration(configuration ?? "", in: model)
        }
        try directory.requireKnownDerivations()
        let (count, isClosed) = shared.withLock { ($0.stores.count, $0.isClosed) }
        // Keys contain a store's index, so an index is never reused.
        if isClosed { throw StoreError.stackIsClosed }
        if count == ObjectKey.maximumStores { throw StoreError.tooManyStores }
    }

    /// The stores, in the order they were added.
    package var stores: [any PersistentStore] { shared.withLock { $0.stores } }

    /// Indicates whether there is a store that was not removed.
    var hasStores: Bool { stores.contains { !($0 is RemovedStore) } }

    /// The error of calls that need a store, if there is none.
    var noStores: StoreError { shared.withLock { $0.isClosed } ? .stackIsClosed : .noStores }

    /// Returns the indexes of the stores that contain objects of an entity.
    package func storeIndices(of entity: Entity) -> [Int] {
        stores.indices.filter { holds(stores[$0], entity: entity) }
    }

    func holds(_ store: any PersistentStore, entity: Entity) -> Bool {
        if store is RemovedStore { return false }
        guard let configuration = store.configuration else { return true }
        return model.entities(inConfiguration: configuration)?.contains { $0.root === entity.root } == true
    }

    /// Closes every store, after the commits that wait or are being written. Later reads and commits throw an error.
    ///
    /// - Throws: ``StoreError`` with the code `wouldDeadlock` inside a commit, in which case nothing is closed; otherwise
    ///   the error of the first store that could not be closed properly, after the others have been closed as well. Errors
    ///   of further stores go to the error handler.
    public func close() throws {
        try queue.commitAlone {
            let stores = shared.withLock { shared in
                defer {
                    shared.stores = []
                    shared.isClosed = true
                }
                return shared.stores
            }
            try forEach(of: stores) { try $0.close() }
        }
    }

    // MARK: Errors that no caller can catch

    /// Registers a transformer, which converts between values and bytes, for all transformable attributes that name it in
    /// the model. It replaces an earlier one with the same name.
    public func register(_ transformer: any AttributeTransformer, forName name: String) {
        directory.register(transformer, forName: name)
    }

    /// Sets the handler for errors of calls that cannot throw, such as reading a property whose row cannot be read.
    public func setErrorHandler(_ handler: (@Sendable (any Error) -> Void)?) {
        directory.setErrorHandler(handler)
    }

    package func report(_ error: any Error) { directory.report(error) }

    // MARK: Contexts

    /// The initial ``ManagedObjectContext/lazyLoading`` of contexts that are created from now on.
    public var lazyLoading: LazyLoading {
        get { lazyLoadingOfContexts.withLock { $0 } }
        set { lazyLoadingOfContexts.withLock { $0 = newValue } }
    }

    func newContextID() -> ContextID { ContextID(rawValue: newID()) }

    private func newID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    /// Records that a context stands at the last published generation, and returns that generation.
    func contextDidEnter(_ id: ContextID) -> Generation {
        shared.withLock { shared in
            shared.ledger.enter(id, at: shared.ledger.published)
            return shared.ledger.published
        }
    }

    /// Records that a context stands at a generation, that of its first commit.
    func contextDidEnter(_ id: ContextID, at generation: Generation) {
        shared.withLock { $0.ledger.enter(id, at: generation) }
    }

    func contextDidAdvance(_ id: ContextID, to generation: Generation) {
        notices.release(through: moved { $0.ledger.advance(id, to: generation) })
    }

    func contextDidClose(_ id: ContextID) {
        notices.release(through: moved { $0.ledger.leave(id) })
    }

    /// Moves a standing. Returns the oldest one; older data is no longer needed.
    @inline(__always)
    private func moved(_ move: (inout Shared) -> Void) -> Generation {
        let oldest = shared.withLock { shared in
            move(&shared)
            return shared.ledger.oldestStanding
        }
        // No context will stand at an older one, whatever has happened since.
        rows.withLock { $0.cache.prune(oldestStanding: oldest) }
        return oldest
    }
}

extension StoreError {
    fileprivate static func unknownConfiguration(_ name: String, in model: ManagedObjectModel) -> StoreError {
        let known = model.configurations.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        return StoreError(
            .incompatibleSchema,
            """
            The model has no configuration "\(name)"; it has \(known.isEmpty ? "none" : known). Name one of these, or \
            pass none to include all entities.
            """)
    }
}
