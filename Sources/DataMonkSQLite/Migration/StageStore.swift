import DataMonkCore
import DataMonkSQL
import Foundation

/// **Shared.** A store's file inside the transaction of its migration, for the code of a stage.
///
/// ```
/// a reader        reads the migration's connection: what the transaction has written, and no snapshot
/// a transaction   is a savepoint of it; see `SQLiteConnection.enclosing`
/// ```
/// Everything runs on the migration's one connection, and therefore on its thread: on another one, and after `end()`, the
/// store refuses to be read or written.
final class StageStore: PersistentStore {
    private let store: SQLiteStore
    // nonisolated(unsafe): a connection has one owner, the migration. It is used on the thread of the migration while that
    // waits for the code; `check()` comes before each use.
    nonisolated(unsafe) private let connection: SQLiteConnection
    private let writer: SQLiteWriter
    private let thread = ThreadID.current
    private let isOpen = Locked(true)
    private let derivations: DerivationLog
    private let watch: StageWatch

    var identifier: UUID { store.identifier }
    var configuration: String? { store.configuration }
    var url: URL? { store.fileURL }

    init(
        over connection: SQLiteConnection, schema: StoreSchema, configuration: String?, directory: ObjectDirectory,
        derivations: DerivationLog, files: StageFiles, watch: StageWatch
    ) throws {
        // Queries read the texts themselves: the indexes are not kept while the store is migrated.
        let schema = schema.keeping { _ in false }
        let url = connection.fileURL
        let writer = try SQLiteWriter(connection: connection, derivations: derivations)
        if let version = try writer.foreignVersion() { writer.note(version) }
        let externalData = SQLiteStore.makeExternalData(of: schema, at: url, directory: directory)
        // Made by the first value that is written, so that a stage without one leaves none behind.
        if let externalData { try files.add(externalData) }
        store = SQLiteStore(
            identifier: try SQLiteStore.readMetadata(from: connection, at: url).0, configuration: configuration,
            fileURL: url, isReadOnly: false, directory: directory, index: 0,
            plans: SQLiteStatements(schema: schema, storeIndex: 0, directory: directory), externalData: externalData,
            files: try StoreFiles(of: connection),
            readers: ReaderPool(storeURL: url) { throw StoreError.usedElsewhere(url) }, writer: writer,
            reopenWriter: { throw StoreError.usedElsewhere(url) },
            checkpointer: Checkpointer { throw StoreError.usedElsewhere(url) })
        self.connection = connection
        self.writer = writer
        self.derivations = derivations
        self.watch = watch
        derivations.isNoting = true
    }

    /// Ends the use of the connection.
    func end() {
        isOpen.withLock { $0 = false }
        derivations.isNoting = false
        store.externalData?.release()
    }

    private func check() throws {
        guard ThreadID.current == thread, isOpen.withLock({ $0 }) else {
            throw StoreError.usedElsewhere(store.fileURL)
        }
    }

    func openReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
        try check()
        return try StoreError.translatingFailures(of: store.fileURL) {
            // A statement outside of the transaction would read the store as it was before the migration.
            try connection.requireTransaction()
            return try SQLiteReader(ReaderLease(inTransaction: connection), store: store)
        }
    }

    func beginTransaction() throws -> any StoreTransaction {
        try check()
        try watch.look()
        // There is no other connection that could take the place of this one.
        if let failure = writer.spendingFailure { throw StoreError(failure, storeURL: store.fileURL) }
        return try store.beginTransaction()
    }

    func metadata() throws -> [String: ManagedValue] {
        try check()
        return try StoreError.translatingFailures(of: store.fileURL) {
            try connection.applicationMetadata(store.fileURL)
        }
    }

    /// Ends it. The file stays open for the migration.
    func close() throws { end() }
}

extension StoreError {
    fileprivate static func usedElsewhere(_ url: URL) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The context of a migration of \(url.lastPathComponent) was used on another thread, or after the code that it was \
            given to. Use it in that code alone.
            """, storeURL: url)
    }
}
