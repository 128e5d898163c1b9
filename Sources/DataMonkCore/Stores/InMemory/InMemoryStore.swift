package import Foundation

/// **Shared.** A store that keeps its rows in memory, with the same rules as every store: snapshots, versions, savepoints.
///
/// For tests, caches and previews, and for the stores of an application's own: an ``AtomicKeeper`` loads the contents once, and
/// saves them in each commit; over an ``IncrementalKeeper`` the contents are what a transaction changes. A snapshot is a copy of the contents, so a commit while a reader is open copies the tables that it
/// writes.
package final class InMemoryStore: PersistentStore {
    package let identifier: UUID
    package let configuration: String?
    package var url: URL? { keeper?.frame.url }
    package var isReadOnly: Bool { keeper?.frame.isReadOnly ?? false }

    let directory: ObjectDirectory
    let index: Int
    private let contents: Locked<InMemoryContents?>
    private let keeper: (any ContentsKeeper)?

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - index: The index of the store among the coordinator's stores.
    ///   - tracksHistory: Whether the store keeps a history.
    package init(directory: ObjectDirectory, index: Int, configuration: String? = nil, tracksHistory: Bool = false) {
        var contents = InMemoryContents()
        if tracksHistory { contents.history = HistoryJournal() }
        self.contents = Locked(contents)
        self.directory = directory
        self.index = index
        self.configuration = configuration
        identifier = UUID()
        keeper = nil
    }

    /// Opens an atomic store, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - savesNewStore: Whether a new store is saved at once, and not by its first commit.
    ///   - claim: The right to the store, which is released when the store is closed.
    /// - Throws: ``StoreError`` if it cannot be loaded, if its contents do not fit the model, or if it does not exist and is
    ///   opened for reading only.
    package convenience init(
        _ store: any AtomicStore, directory: ObjectDirectory, index: Int, configuration: String? = nil,
        isReadOnly: Bool = false, savesNewStore: Bool = true, claim: StoreClaim? = nil
    ) throws {
        let frame = try StoreFrame(
            typeName: store.typeName, url: store.url, directory: directory, index: index,
            configuration: configuration, isReadOnly: isReadOnly)
        try self.init(AtomicKeeper(store: store, frame: frame, claim: claim), configuration, savesNewStore)
    }

    /// Opens an incremental store, which is created if it does not exist. The parameters and errors are those of an atomic one.
    package convenience init(
        _ store: any IncrementalStore, directory: ObjectDirectory, index: Int, configuration: String? = nil,
        isReadOnly: Bool = false, savesNewStore: Bool = true, claim: StoreClaim? = nil
    ) throws {
        let frame = try StoreFrame(
            typeName: store.typeName, url: store.url, directory: directory, index: index,
            configuration: configuration, isReadOnly: isReadOnly)
        try self.init(IncrementalKeeper(store: store, frame: frame, claim: claim), configuration, savesNewStore)
    }

    private init(_ keeper: some ContentsKeeper, _ configuration: String?, _ savesNewStore: Bool) throws {
        let identifier: UUID
        let contents: InMemoryContents
        do {
            (identifier, contents) = try keeper.load(savesNewStore: savesNewStore)
        } catch {
            keeper.close()
            throw error
        }
        // Each snapshot of an incremental store is read anew.
        contents.base?.end()
        self.contents = Locked(keeper.holdsContents ? contents : InMemoryContents())
        directory = keeper.frame.directory
        index = keeper.frame.index
        self.configuration = configuration
        self.identifier = identifier
        self.keeper = keeper
    }

    package func openReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
        InMemoryReader(try snapshot(), directory: directory)
    }

    package func beginTransaction() throws -> any StoreTransaction {
        if isReadOnly { throw StoreError.openedReadOnly(url) }
        return InMemoryTransaction(try snapshot(), store: self)
    }

    package func metadata() throws -> [String: ManagedValue] {
        let contents = try snapshot()
        contents.base?.end()
        return contents.metadata.merging([
            "NSStoreType": .string(keeper?.frame.typeName ?? "InMemory"),
            "NSStoreUUID": .string(identifier.uuidString),
        ]) { _, own in own }
        .merging(keeper?.frame.versionMetadata ?? [:]) { _, own in own }
    }

    package func close() throws {
        let wasOpen = contents.withLock { contents in
            defer { contents = nil }
            return contents != nil
        }
        if wasOpen { keeper?.close() }
    }

    private func snapshot() throws -> InMemoryContents {
        guard let contents = contents.withLock({ $0 }) else { throw StoreError.noStores }
        return try keeper?.contents() ?? contents
    }

    /// Replaces the contents. If they are kept elsewhere too, they are saved there first.
    ///
    /// - Throws: The keeper's errors, after which the contents are the former ones; ``UnconfirmedSave`` if they may have been
    ///   saved, after which they are the new ones, as what is there.
    func replaceContents(_ new: InMemoryContents) throws {
        // Not inside the lock: readers do not wait for a disk. There is one transaction at a time.
        let result = Result { try keeper?.save(new, identifier: identifier) }
        if case .failure(let error) = result, !(error is UnconfirmedSave) { throw error }
        if keeper?.holdsContents ?? true { contents.withLock { if $0 != nil { $0 = new } } }
        try result.get()
    }
}
