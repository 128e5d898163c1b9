package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Shared.** The embedded store: a file in Core Data's format, one writer, a bounded pool of readers.
///
/// Readers are WAL snapshots: they never wait for the writer, nor it for them. The writer belongs to the transaction at
/// work, of which the commit queue lets one be at a time; between two of them it rests in `writer`.
package final class SQLiteStore: PersistentStore {
    package let identifier: UUID
    package let configuration: String?
    package let fileURL: URL
    package var url: URL? { fileURL }

    let directory: ObjectDirectory
    /// The store's place among the coordinator's stores: part of its objects' keys.
    let index: Int
    let plans: SQLiteStatements
    /// Where large values lie; nil where no attribute of the model asks for it.
    let externalData: ExternalDataFolder?
    /// How the history is kept; nil where it is not.
    let history: (schema: HistorySchema, tables: HistoryTables)?
    private let readers: ReaderPool
    /// The resting writer; nil while a transaction has it, and once the store is closed.
    private let writer: Locked<SQLiteWriter?>

    init(
        identifier: UUID, configuration: String?, fileURL: URL, directory: ObjectDirectory, index: Int,
        plans: SQLiteStatements, externalData: ExternalDataFolder?,
        history: (schema: HistorySchema, tables: HistoryTables)?, readers: ReaderPool,
        writer: sending SQLiteWriter
    ) {
        self.identifier = identifier
        self.configuration = configuration
        self.fileURL = fileURL
        self.directory = directory
        self.index = index
        self.plans = plans
        self.externalData = externalData
        self.history = history
        self.readers = readers
        self.writer = Locked(writer)
    }

    package func openReader() throws -> any StoreReader {
        try StoreError.translatingFailures(of: fileURL) { try SQLiteReader(readers.lease(), store: self) }
    }

    package func beginTransaction() throws -> any StoreTransaction {
        guard let writer = takeWriter() else { throw StoreError.storeIsClosed(fileURL) }
        return try StoreError.translatingFailures(of: fileURL) {
            do {
                return try SQLiteTransaction(writer, store: self)
            } catch {
                giveBack(writer)
                throw error
            }
        }
    }

    private func takeWriter() -> SQLiteWriter? {
        writer.withLock { writer in
            defer { writer = nil }
            return writer
        }
    }

    func giveBack(_ writer: SQLiteWriter) {
        self.writer.withLock { $0 = writer }
    }

    /// The folder beside a store file that holds its large values.
    package static func externalDataFolder(of fileURL: URL) -> URL { ExternalDataFolder.url(of: fileURL) }

    func lastPrimaryKey(ofEntityNumber number: Int, _ connection: SQLiteConnection) throws -> Int64 {
        let sql = plans.prepared("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
        return try connection.withStatement(sql) { statement in
            defer { statement.reset() }
            statement.bind(Int64(number), at: 1)
            return try statement.step() ? statement.int64(at: 0) : 0
        }
    }

    package func close() throws {
        readers.close()
        guard let writer = takeWriter() else { return }
        if let externalData, externalData.hasOrphans { sweep(externalData, writer.connection) }
        try StoreError.translatingFailures(of: fileURL) { try writer.connection.close() }
    }
}

extension SQLiteStore {
    /// Removes files of large values that no row names any more.
    private func sweep(_ folder: ExternalDataFolder, _ connection: SQLiteConnection) {
        // Reason for try?: files that stay are removed when the store is opened next.
        try? connection.transaction(.immediate) {
            try folder.sweep { try connection.externalDataNames(in: plans.schema) }
        }
    }
}

extension SQLiteConnection {
    /// The names of all files that rows name.
    func externalDataNames(in schema: StoreSchema) throws -> Set<UUID> {
        var names: Set<UUID> = []
        for (table, column) in schema.externalDataColumns {
            // The length first: it is known without reading the value.
            let sql = """
                SELECT substr(\(column), 2, 36) FROM \(table) \
                WHERE length(\(column)) BETWEEN 37 AND 38 AND substr(\(column), 1, 1) = x'02'
                """
            try withStatement(sql) { statement in
                while try statement.step() {
                    let name = String(decoding: statement.unsafeBlob(at: 0), as: UTF8.self)
                    if let identifier = UUID(uuidString: name) { names.insert(identifier) }
                }
            }
        }
        return names
    }
}
