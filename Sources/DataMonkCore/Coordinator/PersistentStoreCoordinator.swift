import Synchronization

/// **Shared.** Joins a model to its stores: contexts read and commit through it.
///
/// Down goes a change set: commit queue, store transaction. Up comes what was committed: row cache, then the notices
/// that contexts take in. Nothing here calls into a context.
///
/// One lock (`shared`) guards the ledger, the cache and the stores; the notices have their own, which may be taken
/// under it. No store is asked under either lock.
public final class PersistentStoreCoordinator: Sendable {
    /// The entities of every store.
    public let model: ManagedObjectModel

    package let directory: ObjectDirectory
    let shared: Locked<Shared>
    let notices = CommitNotices()
    /// The ledger's last published generation, written under the lock: every fetch asks for it, most often to find that
    /// nothing has changed.
    let published = Atomic<UInt64>(Generation.opened.rawValue)
    /// Whether `shared.waitingMetadata` holds anything, so that commits need not look.
    let isMetadataWaiting = Atomic(false)
    let queue: CommitQueue<CommitMember, CommitResult>
    /// For contexts and observers alike.
    private let lastID = Atomic<UInt64>(0)
    private let lazyLoadingOfContexts = Locked(LazyLoading.automatic)

    /// **Value.** A fact by which a reader tells whether its snapshot contains a commit.
    enum CommitProbe: Sendable {
        /// The object's row has this version.
        case version(of: ObjectKey, Int64)
        /// Primary keys of the key's entity have been given out up to this one.
        case primaryKey(ObjectKey)
    }

    /// What `shared` guards.
    struct Shared {
        var ledger = GenerationLedger<CommitProbe>()
        var rows: RowCache<Row>
        var stores: [any PersistentStore] = []
        var isClosed = false
        /// What was set as metadata of stores and waits for a commit, by the store's place.
        var waitingMetadata: [Int: [String: ManagedValue]] = [:]
        var observers: [UInt64: @Sendable (ChangeSet) -> Void] = [:]
        /// Whether observers are still to hear of other processes' commits: a commit at work has found them.
        var hasForeignChangesToTell = false
        /// When the ages of rows began to matter; nil while no context asks for them, and nothing looks at the clock.
        var clockStart: ContinuousClock.Instant?

        /// The row cache's clock: milliseconds; long ago while it does not run.
        var now: Int64 {
            clockStart.map { Int64(($0.duration(to: .now)) / .milliseconds(1)) } ?? .min
        }
    }

    /// Makes a coordinator without stores.
    public init(model: ManagedObjectModel) {
        self.model = model
        directory = ObjectDirectory(model: model)
        shared = Locked(Shared(rows: RowCache()))
        queue = CommitQueue { [directory] error in directory.report(StoreError.retriedCommit(error)) }
    }

    // MARK: Stores

    /// Adds a store. Its place among the stores is part of its objects' keys.
    package func add(_ store: any PersistentStore) throws {
        guard store.configuration == nil || model.entities(inConfiguration: store.configuration) != nil else {
            throw StoreError.unknownConfiguration(store.configuration ?? "", in: model)
        }
        try directory.requireKnownDerivations()
        let (known, isClosed) = shared.withLock { ($0.stores, $0.isClosed) }
        // Keys carry a store's place: a place is not given twice.
        if isClosed { throw StoreError.stackIsClosed }
        if known.count == ObjectKey.maximumStores { throw StoreError.tooManyStores }
        // By another path, such as a link's, or a copy of it: each object would be there twice, with one URI.
        if let twin = known.first(where: { $0.identifier == store.identifier }) {
            throw StoreError.addedTwice(store.url, twin.url)
        }
        let index = directory.addStore(store.identifier)
        shared.withLock { shared in
            precondition(index == shared.stores.count, "Stores are added one at a time.")
            shared.stores.append(store)
        }
        store.observeForeignCommits { [weak self] isCommitting in
            guard let self else { return {} }
            return self.takeForeignCommits(isCommitting: isCommitting)
        }
    }

    /// The stores, in the order they were added.
    package var stores: [any PersistentStore] { shared.withLock { $0.stores } }

    /// The stores that hold objects of an entity.
    package func storeIndices(of entity: Entity) -> [Int] {
        stores.indices.filter { holds(stores[$0], entity) }
    }

    func holds(_ store: any PersistentStore, _ entity: Entity) -> Bool {
        guard let configuration = store.configuration else { return true }
        return model.entities(inConfiguration: configuration)?.contains { $0.root === entity.root } == true
    }

    /// Closes every store, after the commits that wait or are being written. Whoever reads or commits afterwards gets an
    /// error.
    ///
    /// - Throws: ``StoreError`` with the code `wouldDeadlock` inside a commit; then nothing is closed. That of the first
    ///   store that could not be closed well; the others are closed all the same.
    public func close() throws {
        try commitAlone {
            let stores = shared.withLock { shared in
                defer {
                    shared.stores = []
                    shared.isClosed = true
                }
                return shared.stores
            }
            var first: (any Error)?
            for store in stores {
                do { try store.close() } catch { first = first ?? error }
            }
            if let first { throw first }
        }
    }

    // MARK: Errors that no caller can catch

    /// Registers what turns the values of transformable attributes into bytes and back, for all attributes whose model names
    /// this transformer. A later one of the same name takes the place of an earlier one.
    public func register(_ transformer: any AttributeTransformer, forName name: String) {
        directory.register(transformer, forName: name)
    }

    /// What happens to errors of calls that cannot throw, such as reading a property whose row cannot be read.
    public func setErrorHandler(_ handler: (@Sendable (any Error) -> Void)?) {
        directory.setErrorHandler(handler)
    }

    package func report(_ error: any Error) { directory.report(error) }

    // MARK: Contexts

    /// What contexts begin with that are made from now on.
    public var lazyLoading: LazyLoading {
        get { lazyLoadingOfContexts.withLock { $0 } }
        set { lazyLoadingOfContexts.withLock { $0 = newValue } }
    }

    func newContextID() -> ContextID { ContextID(rawValue: newID()) }

    private func newID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    /// A context begins to stand at the last published generation, which it gets.
    func contextDidEnter(_ id: ContextID) -> Generation {
        shared.withLock { shared in
            shared.ledger.enter(id, at: shared.ledger.published)
            return shared.ledger.published
        }
    }

    /// A context begins to stand at a generation: that of its first commit.
    func contextDidEnter(_ id: ContextID, at generation: Generation) {
        shared.withLock { $0.ledger.enter(id, at: generation) }
    }

    func contextDidAdvance(_ id: ContextID, to generation: Generation) {
        notices.release(through: moved { $0.ledger.advance(id, to: generation) })
    }

    func contextDidClose(_ id: ContextID) {
        notices.release(through: moved { $0.ledger.leave(id) }, removing: id)
    }

    /// Moves a standing. Returns the oldest one; nobody needs what is older.
    @inline(__always)
    private func moved(_ move: (inout Shared) -> Void) -> Generation {
        shared.withLock { shared in
            move(&shared)
            let oldest = shared.ledger.oldestStanding
            shared.rows.prune(oldestStanding: oldest)
            return oldest
        }
    }
}

extension PersistentStoreCoordinator {
    /// Calls a block with the changes of each commit, after it was published, on the committing thread and outside all
    /// locks; and with an empty set that ``ChangeSet/comesWithForeignChanges`` when a reader finds commits of other
    /// processes, on its thread.
    ///
    /// - Returns: a token for ``removeCommitObserver(_:)``.
    package func addCommitObserver(_ block: @escaping @Sendable (ChangeSet) -> Void) -> UInt64 {
        let token = newID()
        shared.withLock { $0.observers[token] = block }
        return token
    }

    package func removeCommitObserver(_ token: UInt64) {
        shared.withLock { $0.observers[token] = nil }
    }
}
