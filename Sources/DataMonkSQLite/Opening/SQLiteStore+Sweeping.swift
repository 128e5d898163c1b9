import DataMonkCore
import DataMonkSQL
import Foundation

/// Removes files of large values that no row refers to any more: when a store is opened, and when it is closed after values
/// were deleted or replaced.
///
///     look                 for files older than the grace period that no row refers to; usually there are none
///     exclusive lock       on the folder: others that have the store open may hold older rows, which refer to the files
///     checkpoint           every commit so far is on disk: no row that refers to such a file comes back after a power cut
///     BEGIN IMMEDIATE      if anyone has committed since the checkpoint, the sweep is left to the next time
///     look again, unlink
///
/// The checkpoint is necessary even if each commit is synced: other programs may write with less durability.
extension SQLiteStore {
    /// Removes what can be removed, and reports errors to the error handler: only space is lost.
    static func sweep(_ folder: ExternalDataFolder, schema: StoreSchema, by writer: SQLiteWriter) {
        do {
            try removeOrphans(in: folder, schema: schema, on: writer.connection)
        } catch let failure as SQLiteFailure where failure.isBusy {
            // A program that ignores the folder's lock is reading or writing the store; the next sweep finds the files.
        } catch let failure as SQLiteFailure {
            writer.note(failure)
            folder.report(StoreError(failure, storeURL: folder.storeURL))
        } catch {
            folder.report(error)
        }
    }

    func sweep(_ folder: ExternalDataFolder, by writer: SQLiteWriter) {
        Self.sweep(folder, schema: plans.schema, by: writer)
    }

    /// Removes the files of attributes that the store's model no longer has, if there is a folder of them.
    static func sweepRemains(
        of schema: StoreSchema, at fileURL: URL, directory: ObjectDirectory, by writer: SQLiteWriter
    ) {
        // No row has a reference to it, so it needs no number of its own.
        let folder = ExternalDataFolder(storeURL: fileURL, directory: directory, number: 0, lockTimeout: .zero)
        do {
            if try folder.open(creating: false) == nil { return }
        } catch let error as StoreError where error.code == .locked {
            return
        } catch {
            return folder.report(error)
        }
        sweep(folder, schema: schema, by: writer)
        folder.release()
    }

    private static func removeOrphans(
        in folder: ExternalDataFolder, schema: StoreSchema, on connection: SQLiteConnection
    ) throws {
        let candidates = try folder.filesPastGracePeriod()
        if candidates.isEmpty { return }
        func orphans() throws -> Set<String> {
            ExternalDataFolder.orphans(among: candidates, referenced: try connection.externalDataNames(in: schema))
        }
        if try orphans().isEmpty { return }
        try folder.whileAlone {
            let usual = connection.busyTimeout
            connection.busyTimeout = .zero
            defer { connection.busyTimeout = usual }
            let version = try connection.dataVersion()
            try connection.checkpoint(.truncate, waitingAtMost: .zero)
            try connection.transaction(.immediate) {
                guard try connection.dataVersion() == version else { return }
                try folder.remove(names: orphans())
            }
        }
    }
}

extension SQLiteConnection {
    /// Returns the identifiers of all files that rows refer to.
    func externalDataNames(in schema: StoreSchema) throws -> Set<UUID> {
        var names: Set<UUID> = []
        for (table, column) in schema.externalReferenceColumns {
            // The length first: SQLite knows it without reading the value.
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
