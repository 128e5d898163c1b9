import Foundation

/// **Value.** Loads and saves the contents of an atomic store, and checks what it answers.
struct AtomicKeeper: ContentsKeeper {
    let store: any AtomicStore
    let frame: StoreFrame
    let claim: StoreClaim?

    var holdsContents: Bool { true }

    func contents() throws -> InMemoryContents? { nil }

    func load(savesNewStore: Bool) throws -> (UUID, InMemoryContents) {
        let loaded = try frame.translatingErrors(.openFailed, "opened") { try store.load(model: frame.model) }
        guard let loaded else { return try frame.makeNew(saves: savesNewStore, save) }
        try frame.requireVersion(loaded.versionHashes)
        var reading = AtomicReading(frame)
        return (loaded.identifier, try reading.contents(of: loaded))
    }

    func save(_ contents: InMemoryContents, identifier: UUID) throws {
        var saved = AtomicContents(
            identifier: identifier, versionHashes: frame.hashes.byEntityName, metadata: contents.metadata,
            lastID: contents.lastPrimaryKey(root: 0))
        saved.objects = AtomicWriting(frame).objects(of: contents)
        try frame.translatingErrors(.saveFailed, "saved") { try store.save(saved, model: frame.model) }
    }

    func close() {
        store.close()
        claim?.release()
    }
}
