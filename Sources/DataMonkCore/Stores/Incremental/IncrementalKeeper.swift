import Foundation

/// **Value.** Reads and saves an incremental store for the contents in memory that a transaction lays over it.
struct IncrementalKeeper: ContentsKeeper {
    let store: any IncrementalStore
    let frame: StoreFrame

    var holdsContents: Bool { false }

    /// Returns the identity of the store, which is created if it does not exist.
    func load(savesNewStore: Bool) throws -> (UUID, InMemoryContents) {
        if let contents = try contents(), let base = contents.base {
            return (base.snapshot.header.identifier, contents)
        }
        return try frame.makeNew(saves: savesNewStore, save)
    }

    /// Returns what is stored now; `nil` if nothing is.
    func contents() throws -> InMemoryContents? {
        let snapshot = try frame.translatingErrors(.openFailed, "opened") { try store.snapshot(model: frame.model) }
        guard let snapshot else { return nil }
        do {
            let header = snapshot.header
            try frame.requireVersion(header.versionHashes)
            return try frame.contents(
                lastID: header.lastID, metadata: header.metadata,
                over: IncrementalBase(snapshot, rows: AtomicRows(frame)))
        } catch {
            snapshot.end()
            throw error
        }
    }

    func save(_ contents: InMemoryContents, identifier: UUID) throws {
        let header = StoreHeader(
            identifier: identifier, versionHashes: frame.hashes.byEntityName, metadata: contents.metadata,
            lastID: contents.lastPrimaryKey(root: 0))
        let changes = AtomicWriting(frame).changes(of: contents, header: header)
        try contents.base?.requireReadable()
        try frame.translatingErrors(.saveFailed, "saved") { try store.save(changes, model: frame.model) }
    }

    func close() { store.close() }
}
