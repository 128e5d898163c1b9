import Foundation

/// **Value.** Loads and saves the contents of an atomic store, and checks what it answers.
struct AtomicKeeper: Sendable {
    /// The highest id of a new store: Core Data begins with 102 in its XML files.
    private static let lastIDOfNewStore: Int64 = 101

    let store: any AtomicStore
    let isReadOnly: Bool
    private let directory: ObjectDirectory
    private let index: Int
    /// The entities that the store may contain.
    private let members: [Entity]
    private let hashes: VersionHashes

    init(
        _ store: any AtomicStore, directory: ObjectDirectory, index: Int, configuration: String?, isReadOnly: Bool
    ) throws {
        self.store = store
        self.directory = directory
        self.index = index
        self.isReadOnly = isReadOnly
        members = try directory.model.requireEntities(inConfiguration: configuration)
        hashes = VersionHashes(of: members, in: directory.model)
    }

    /// The metadata that tell the version of the model.
    var versionMetadata: [String: ManagedValue] {
        [
            "NSStoreModelVersionHashes": .dictionary(hashes.byEntityName.mapValues(ManagedValue.data)),
            "NSStoreModelVersionHashesVersion": .int(Int64(VersionHashes.version)),
            "NSStoreModelVersionIdentifiers": .list(directory.model.versionIdentifiers.map(ManagedValue.string)),
        ]
    }

    /// Returns the identity and the contents of the store, which is created if it does not exist.
    ///
    /// - Parameter savesNewStore: Whether a new store is saved at once, and not by its first commit.
    func load(savesNewStore: Bool) throws -> (UUID, InMemoryContents) {
        let loaded = try translatingErrors(.openFailed, "opened") { try store.load(model: directory.model) }
        guard let loaded else {
            if isReadOnly { throw StoreError.noAtomicStore(store) }
            var new = InMemoryContents()
            new.sharesPrimaryKeys = true
            _ = try new.reservePrimaryKeys(Int(Self.lastIDOfNewStore), root: 0)
            let identifier = UUID()
            if savesNewStore {
                do {
                    try save(new, identifier: identifier)
                } catch let error as UnconfirmedSave {
                    throw error.cause
                }
            }
            return (identifier, new)
        }
        if let stored = loaded.versionHashes, stored != hashes.byEntityName {
            throw StoreError.otherVersion(of: store, stored, model: hashes.byEntityName)
        }
        var reading = AtomicReading(store, directory: directory, index: index, members: members)
        return (loaded.identifier, try reading.contents(of: loaded))
    }

    func save(_ contents: InMemoryContents, identifier: UUID) throws {
        let writing = AtomicWriting(directory: directory, members: members)
        var saved = AtomicContents(
            identifier: identifier, versionHashes: hashes.byEntityName, metadata: contents.metadata,
            lastID: contents.lastPrimaryKey(root: 0))
        saved.objects = writing.objects(of: contents)
        try translatingErrors(.saveFailed, "saved") { try store.save(saved, model: directory.model) }
    }

    private func translatingErrors<Result>(
        _ code: StoreError.Code, _ deed: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error where !(error is any DataMonkError) && !(error is UnconfirmedSave) {
            throw StoreError(
                code, "\(store.name) could not be \(deed). See the underlying error.", storeURL: store.url,
                underlyingError: error)
        }
    }
}

extension AtomicStore {
    /// The name of the store for messages.
    var name: String { url?.lastPathComponent ?? "The store of the kind \(typeName)" }
}

extension StoreError {
    fileprivate static func noAtomicStore(_ store: any AtomicStore) -> StoreError {
        StoreError(
            .fileNotFound,
            "\(store.name) does not exist, and is opened for reading only. Open it for writing once to create it.",
            storeURL: store.url)
    }

    fileprivate static func otherVersion(
        of store: any AtomicStore, _ stored: [String: Data], model: [String: Data]
    ) -> StoreError {
        let names = Set(stored.keys).union(model.keys).filter { stored[$0] != model[$0] }.sorted()
        return StoreError(
            .incompatibleVersionHash,
            """
            \(store.name) was written with another version of the model: they differ in \
            \(names.joined(separator: ", ")). Open it with that version. Only database files are migrated to another \
            version: with that version of the model, have Stack.migrateStore make a database file of it, and open that.
            """, storeURL: store.url)
    }
}
