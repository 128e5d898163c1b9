public import DataMonkCore
public import Foundation

/// **Value.** A store to add to a stack with ``Stack/addStore(_:fileID:line:)``, or one that a stack has open; see
/// ``Stack/storeDescriptions``.
///
///     var description = StoreDescription.database(fileURL: url)
///     description.tracksHistory = true
///     try await stack.addStore(description)
///
/// The options but ``configuration``, ``readOnly`` and ``tracksHistory`` are those of a database file; other stores have no use
/// for them. The parameters of `Stack.addDatabaseStore(fileURL:)` explain them. <doc:Stores> compares the kinds.
public struct StoreDescription: Sendable {
    /// **Value.** A kind of store.
    public enum StoreType: Sendable, Hashable {
        /// A database file in Core Data's format.
        case sqlite
        /// A store whose data goes away with its stack.
        case inMemory
        /// A file in Core Data's XML form, held in memory as a whole.
        case xml
        /// A file in a binary form of this library's own, held in memory as a whole.
        case binary
        /// A store on a PostgreSQL server, with the package's trait `Postgres`.
        case server
        /// A store of your own, an ``/DataMonkCore/AtomicStore`` or an ``/DataMonkCore/IncrementalStore``.
        case custom
    }

    /// **Value.** The point at which a commit returns.
    public enum Synchronous: Sendable, Hashable {
        /// The data is on disk: a commit survives a power cut.
        case full
        /// The operating system has the data: a commit survives the end of the program.
        case normal
    }

    /// The kind of store.
    public let type: StoreType
    /// The location of the file; `nil` for a store in memory, and for one of your own that has none.
    public let url: URL?
    /// The store of your own, that is loaded as a whole.
    private(set) var atomicStore: (any AtomicStore)?
    /// The store of your own, that is read object by object.
    private(set) var incrementalStore: (any IncrementalStore)?
    /// The configuration of the model whose entities the store holds; `nil` for all entities.
    public var configuration: String?
    /// Indicates whether a file of another version of the model is migrated.
    public var autoMigrating = true
    /// Indicates whether the mapping between two versions may be inferred. Without it, a file of another version that would
    /// be migrated is refused with the code `missingMapping`; so is one of a later version even if there are ``stages``, since
    /// the way back (``/DataMonkCore/DiscardableData/laterVersions``) is inferred.
    public var infersMapping = true
    /// The versions that a migration goes through, with the mappings by hand; `nil` for one step with an inferred mapping.
    public var stages: StagedMigration?
    /// The stored data that a migration may discard.
    public var discarding: DiscardableData = []
    /// Indicates whether a file that cannot be migrated is moved aside and replaced by a new one.
    public var resetOnFailure = false
    /// The point at which a commit returns.
    public var synchronous = Synchronous.full
    /// Indicates whether the store keeps a history of its transactions.
    public var tracksHistory = false
    /// The longest time to wait for another program's write.
    public var busyTimeout = Duration.seconds(5)
    /// Indicates whether the file is opened for reading only.
    public var readOnly = false
    /// Indicates whether the file is guaranteed not to change while it is open. Implies `readOnly`.
    public var immutable = false
    /// Called before each step of a migration, on the thread that migrates. An error that it throws cancels the migration.
    public var onMigration: (@Sendable (MigrationProgress) throws -> Void)?

    private init(_ type: StoreType, at url: URL?, configuration: String?, atomicStore: (any AtomicStore)? = nil) {
        self.type = type
        self.atomicStore = atomicStore
        self.url = url?.standardizedFileURL
        self.configuration = configuration
    }

    /// The description with a store of your own that is not closed with its stack, since another one may use it.
    var borrowingStore: StoreDescription {
        var description = self
        description.atomicStore = atomicStore.map(BorrowedStore.init)
        description.incrementalStore = incrementalStore.map(BorrowedIncrementalStore.init)
        return description
    }

    /// Returns the right to a store of your own; `nil` for other stores, and for one that is borrowed to be read once.
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` with the code `locked` while another stack has the store.
    func claim() throws -> StoreClaim? {
        let isBorrowed = atomicStore is BorrowedStore || incrementalStore is BorrowedIncrementalStore
        if isBorrowed, readOnly { return nil }
        if let atomicStore {
            let store = (atomicStore as? BorrowedStore)?.store ?? atomicStore
            return try StoreClaim(store, typeName: store.typeName, at: url)
        }
        if let incrementalStore {
            let store = (incrementalStore as? BorrowedIncrementalStore)?.store ?? incrementalStore
            return try StoreClaim(store, typeName: store.typeName, at: url)
        }
        return nil
    }

    /// An in-memory store. See ``Stack/addInMemoryStore(configuration:tracksHistory:)``.
    public static func inMemory(configuration: String? = nil, tracksHistory: Bool = false) -> StoreDescription {
        var description = StoreDescription(.inMemory, at: nil, configuration: configuration)
        description.tracksHistory = tracksHistory
        return description
    }

    /// The store that a stack has on a server. `Stack.addServerStore` adds one.
    static func server(configuration: String?) -> StoreDescription {
        StoreDescription(.server, at: nil, configuration: configuration)
    }

    /// A file in Core Data's XML form.
    ///
    ///     try await stack.addStore(.xml(fileURL: url))
    ///
    /// - Parameters:
    ///   - fileURL: The location. The file and its folder are created if they do not exist.
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - readOnly: Whether nothing is written. The file must exist then.
    public static func xml(fileURL: URL, configuration: String? = nil, readOnly: Bool = false) -> StoreDescription {
        var description = StoreDescription(.xml, at: fileURL, configuration: configuration)
        description.readOnly = readOnly
        return description
    }

    /// A file in a binary form of this library's own, which Core Data does not read.
    ///
    ///     try await stack.addStore(.binary(fileURL: url))
    ///
    /// - Parameters:
    ///   - fileURL: The location. The file and its folder are created if they do not exist.
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - readOnly: Whether nothing is written. The file must exist then.
    public static func binary(fileURL: URL, configuration: String? = nil, readOnly: Bool = false) -> StoreDescription {
        var description = StoreDescription(.binary, at: fileURL, configuration: configuration)
        description.readOnly = readOnly
        return description
    }

    /// A store of your own.
    ///
    ///     try await stack.addStore(.custom(Notes(file: url)))
    ///
    /// - Parameters:
    ///   - store: The store, which no other stack uses: one that another stack has open is refused with the code `locked`.
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - readOnly: Whether nothing is saved. The store must have contents then.
    public static func custom(
        _ store: any AtomicStore, configuration: String? = nil, readOnly: Bool = false
    ) -> StoreDescription {
        var description = StoreDescription(
            .custom, at: store.url, configuration: configuration, atomicStore: store)
        description.readOnly = readOnly
        return description
    }

    /// A store of your own that is read object by object.
    ///
    ///     try await stack.addStore(.custom(Records(folder: folder)))
    ///
    /// - Parameters:
    ///   - store: The store, which no other stack uses: one that another stack has open is refused with the code `locked`.
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - readOnly: Whether nothing is saved. The store must have contents then.
    public static func custom(
        _ store: any IncrementalStore, configuration: String? = nil, readOnly: Bool = false
    ) -> StoreDescription {
        var description = StoreDescription(.custom, at: store.url, configuration: configuration)
        description.incrementalStore = store
        description.readOnly = readOnly
        return description
    }

    /// A database file. The parameters are those of `Stack.addDatabaseStore(fileURL:)`.
    public static func database(
        fileURL: URL, configuration: String? = nil, autoMigrating: Bool = true, infersMapping: Bool = true,
        stages: StagedMigration? = nil, discarding: DiscardableData = [], resetOnFailure: Bool = false,
        synchronous: Synchronous = .full,
        tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5), readOnly: Bool = false,
        immutable: Bool = false, onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) -> StoreDescription {
        var description = StoreDescription(.sqlite, at: fileURL, configuration: configuration)
        description.autoMigrating = autoMigrating
        description.infersMapping = infersMapping
        description.stages = stages
        description.discarding = discarding
        description.resetOnFailure = resetOnFailure
        description.synchronous = synchronous
        description.tracksHistory = tracksHistory
        description.busyTimeout = busyTimeout
        description.readOnly = readOnly
        description.immutable = immutable
        description.onMigration = onMigration
        return description
    }

    /// A database file in the application support folder; `nil` for the program's name with the extension `.sqlite`.
    public static func database(
        fileName: String?, configuration: String? = nil, autoMigrating: Bool = true, infersMapping: Bool = true,
        stages: StagedMigration? = nil, discarding: DiscardableData = [], resetOnFailure: Bool = false,
        synchronous: Synchronous = .full,
        tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5), readOnly: Bool = false,
        immutable: Bool = false, onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) -> StoreDescription {
        database(
            fileURL: fileURL(named: fileName), configuration: configuration, autoMigrating: autoMigrating,
            infersMapping: infersMapping, stages: stages, discarding: discarding, resetOnFailure: resetOnFailure,
            synchronous: synchronous, tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly,
            immutable: immutable, onMigration: onMigration)
    }

    private static func fileURL(named name: String?) -> URL {
        // There is one on every platform, whether the folder exists or not.
        let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        return folder.appending(path: name ?? (ProcessInfo.processInfo.processName + ".sqlite"))
    }

    /// Indicates whether a file that is open with this description serves for another one. What only matters while a file is
    /// opened may differ.
    func hasOptions(of other: StoreDescription) -> Bool {
        type == other.type && configuration == other.configuration && autoMigrating == other.autoMigrating
            && infersMapping == other.infersMapping && synchronous == other.synchronous
            && tracksHistory == other.tracksHistory && busyTimeout == other.busyTimeout && access == other.access
    }
}
