import Foundation

/// **Shared.** Reads and saves an incremental store for the contents in memory that a transaction lays over it.
///
/// The store is closed when it is told to, and no snapshot is open any more: contexts keep theirs until their turns end.
final class IncrementalKeeper: ContentsKeeper {
    private struct State {
        /// `nil` until something was loaded or saved.
        var facts: IncrementalFacts?
        var openSnapshots = 0
        /// Indicates whether the store is closed, or will be when the last snapshot ends.
        var isClosed = false
        /// Keys that references have led to, and whose objects may be of another entity.
        var references: Set<ObjectKey> = []
    }

    /// The largest number of references that are remembered.
    private static let maximumReferences = 1 << 17

    let frame: StoreFrame
    private let store: any IncrementalStore
    private let rows: AtomicRows
    private let claim: StoreClaim?
    private let state = Locked(State())

    init(store: any IncrementalStore, frame: StoreFrame, claim: StoreClaim?) {
        self.store = store
        self.frame = frame
        self.claim = claim
        rows = AtomicRows(frame)
    }

    var holdsContents: Bool { false }

    // MARK: Reading

    /// Returns the identity of the store, which is created if it does not exist.
    func load(savesNewStore: Bool) throws -> (UUID, InMemoryContents) {
        let contents = try currentContents()
        if let base = contents.base { return (base.snapshot.header.identifier, contents) }
        let (identifier, new) = try frame.makeNew(saves: savesNewStore, save)
        state.withLock { state in
            state.facts =
                state.facts
                ?? IncrementalFacts(identifier: identifier, isStored: false, lastID: StoreFrame.lastIDOfNewStore)
        }
        return (identifier, new)
    }

    func contents() throws -> InMemoryContents? { try currentContents() }

    /// Returns what is stored now. The snapshot beneath has to be ended.
    private func currentContents() throws -> InMemoryContents {
        let facts = try beginSnapshot()
        var snapshot: (any IncrementalSnapshot)?
        do {
            snapshot = try frame.translatingErrors(.openFailed, "opened") { try store.snapshot(model: frame.model) }
            try facts?.check(snapshot?.header, of: frame)
            guard let snapshot else {
                endSnapshot()
                return try frame.contents(lastID: StoreFrame.lastIDOfNewStore, metadata: [:])
            }
            let header = snapshot.header
            try frame.requireVersion(header.versionHashes)
            let known =
                facts ?? IncrementalFacts(identifier: header.identifier, isStored: true, lastID: header.lastID)
            let contents = try frame.contents(
                lastID: header.lastID, metadata: header.metadata,
                over: IncrementalBase(snapshot, rows: rows, facts: known, keeper: self))
            state.withLock { $0.facts = $0.facts ?? known }
            return contents
        } catch {
            snapshot?.end()
            endSnapshot()
            throw error
        }
    }

    /// Counts a snapshot before the store is asked for it, so that the store is not closed meanwhile.
    private func beginSnapshot() throws -> IncrementalFacts? {
        try state.withLock { state in
            if state.isClosed { throw StoreError.noStores }
            state.openSnapshots += 1
            return state.facts
        }
    }

    /// Counts a snapshot off that has ended. The last one after `close` closes the store.
    func endSnapshot() {
        let isLast = state.withLock { state in
            state.openSnapshots -= 1
            return state.isClosed && state.openSnapshots == 0
        }
        if isLast { closeStore() }
    }

    // MARK: Facts

    /// Notes the key that a reference has led to, whose object is not read for its entity alone.
    func note(reference key: ObjectKey) {
        state.withLock { state in
            if state.references.count < Self.maximumReferences { state.references.insert(key) }
        }
    }

    /// Indicates whether a reference may have led to a key. If there were too many to remember, each may.
    func mayRefer(to key: ObjectKey) -> Bool {
        state.withLock { $0.references.count >= Self.maximumReferences || $0.references.contains(key) }
    }

    /// Notes that the store has returned a version that was saved.
    func noteVersions() { state.withLock { $0.facts?.noteVersions() } }

    // MARK: Writing

    func save(_ contents: InMemoryContents, identifier: UUID) throws {
        let header = StoreHeader(
            identifier: identifier, versionHashes: frame.hashes.byEntityName, metadata: contents.metadata,
            lastID: contents.lastPrimaryKey(root: 0))
        let changes = AtomicWriting(frame).changes(of: contents, header: header)
        try contents.base?.requireReadable()
        try frame.translatingErrors(.saveFailed, "saved") { try store.save(changes, model: frame.model) }
        state.withLock { state in
            var facts =
                state.facts ?? IncrementalFacts(identifier: identifier, isStored: true, lastID: header.lastID)
            facts.note(changes)
            state.facts = facts
        }
    }

    func close() {
        let isUnused = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed && state.openSnapshots == 0
        }
        if isUnused { closeStore() }
    }

    private func closeStore() {
        store.close()
        claim?.release()
    }
}
