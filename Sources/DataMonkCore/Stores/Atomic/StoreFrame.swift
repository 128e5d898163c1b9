import Foundation

/// **Value.** The common part of an application's own stores: their place in a stack, their entities and their version.
struct StoreFrame: Sendable {
    /// The highest id of a new store: Core Data begins with 102 in its XML files.
    static let lastIDOfNewStore: Int64 = 101

    /// The name of the store for messages.
    let name: String
    let typeName: String
    let url: URL?
    let isReadOnly: Bool
    let directory: ObjectDirectory
    let index: Int
    /// The entities that the store may contain.
    let members: [Entity]
    let hashes: VersionHashes

    init(
        typeName: String, url: URL?, directory: ObjectDirectory, index: Int, configuration: String?, isReadOnly: Bool
    ) throws {
        name = url?.lastPathComponent ?? "The store of the kind \(typeName)"
        self.typeName = typeName
        self.url = url
        self.isReadOnly = isReadOnly
        self.directory = directory
        self.index = index
        members = try directory.model.requireEntities(inConfiguration: configuration)
        hashes = VersionHashes(of: members, in: directory.model)
    }

    var model: ManagedObjectModel { directory.model }

    /// The metadata that tell the version of the model.
    var versionMetadata: [String: ManagedValue] {
        [
            "NSStoreModelVersionHashes": .dictionary(hashes.byEntityName.mapValues(ManagedValue.data)),
            "NSStoreModelVersionHashesVersion": .int(Int64(VersionHashes.version)),
            "NSStoreModelVersionIdentifiers": .list(model.versionIdentifiers.map(ManagedValue.string)),
        ]
    }

    /// Returns contents without objects.
    ///
    /// - Throws: ``StoreError`` with the code `corrupt` for an id that cannot be.
    func contents(
        lastID: Int64, metadata: [String: ManagedValue], over base: IncrementalBase? = nil
    ) throws -> InMemoryContents {
        guard lastID >= 0, lastID <= ObjectKey.maximumPrimaryKey else {
            throw StoreError(
                .corrupt, "\(name) has the last id \(lastID), beyond 2^46 - 1. Restore it from a backup.", storeURL: url
            )
        }
        var contents = InMemoryContents(over: base)
        contents.sharesPrimaryKeys = true
        contents.metadata = metadata.filter { !StoreMetadataKey.isStoresOwn($0.key) }
        _ = try contents.reservePrimaryKeys(Int(lastID), root: 0)
        return contents
    }

    /// Returns the identity and the contents of a new store.
    ///
    /// - Parameter saves: Whether it is saved at once, and not by its first commit.
    func makeNew(saves: Bool, _ save: (InMemoryContents, UUID) throws -> Void) throws -> (UUID, InMemoryContents) {
        if isReadOnly {
            throw StoreError(
                .fileNotFound,
                "\(name) does not exist, and is opened for reading only. Open it for writing once to create it.",
                storeURL: url)
        }
        let (identifier, new) = (UUID(), try contents(lastID: Self.lastIDOfNewStore, metadata: [:]))
        if !saves { return (identifier, new) }
        do {
            try save(new, identifier)
        } catch let error as UnconfirmedSave {
            throw error.cause
        }
        return (identifier, new)
    }

    // MARK: Errors

    /// - Throws: ``StoreError`` with the code `incompatibleVersionHash` for hashes that are not the model's.
    func requireVersion(_ stored: [String: Data]?) throws {
        let own = hashes.byEntityName
        guard let stored, stored != own else { return }
        let names = Set(stored.keys).union(own.keys).filter { stored[$0] != own[$0] }.sorted()
        throw StoreError(
            .incompatibleVersionHash,
            """
            \(name) was written with another version of the model: they differ in \(names.joined(separator: ", ")). \
            Open it with that version. Only database files are migrated to another version: with that version of the \
            model, have Stack.migrateStore make a database file of it, and open that.
            """, storeURL: url)
    }

    func translatingErrors<Result>(
        _ code: StoreError.Code, _ deed: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw translated(error, code, deed)
        }
    }

    /// Returns an error of the store as one that names it.
    func translated(_ error: any Error, _ code: StoreError.Code, _ deed: String) -> any Error {
        if error is any DataMonkError || error is UnconfirmedSave { return error }
        return StoreError(
            code, "\(name) could not be \(deed). See the underlying error.", storeURL: url, underlyingError: error)
    }

    func corrupt(_ problem: String, _ entity: Entity) -> StoreError {
        StoreError(.corrupt, "\(name) \(problem).", entityName: entity.name, storeURL: url)
    }
}

/// **Value.** Keeps what an ``InMemoryStore`` holds somewhere else too.
protocol ContentsKeeper: Sendable {
    var frame: StoreFrame { get }
    /// A Boolean value indicating whether all contents are in memory, and not only what a transaction changes.
    var holdsContents: Bool { get }

    /// Returns the identity and the contents of the store, which is created if it does not exist.
    ///
    /// - Parameter savesNewStore: Whether a new store is saved at once, and not by its first commit.
    func load(savesNewStore: Bool) throws -> (UUID, InMemoryContents)
    /// Returns what is stored now; `nil` if all contents are in memory.
    func contents() throws -> InMemoryContents?
    func save(_ contents: InMemoryContents, identifier: UUID) throws
    /// Releases the store, when nobody reads it any more.
    func close()
}
