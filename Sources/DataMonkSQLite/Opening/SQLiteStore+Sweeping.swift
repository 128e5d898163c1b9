import DataMonkCore
import DataMonkSQL
import Foundation

/// Removing files of large values that no row names any more: when a store is opened, and when it is closed after values
/// were deleted or replaced.
///
///     look                 files older than the grace period that no row names; mostly there are none
///     exclusive lock       on the folder: whoever else has the store open may hold older rows, which name them
///     checkpoint           every commit so far is on disk: after a loss of power no row comes back that names such a file
///     BEGIN IMMEDIATE      if anybody has committed since the checkpoint, the sweep is left to the next time
///     look again, unlink
///
/// The checkpoint comes first also where each commit is synced by itself: others may write with less durability.
extension SQLiteStore {
    /// Removes what can be removed, and tells the error handler of what goes wrong: nothing is lost but space.
    static func sweep(
        _ folder: ExternalDataFolder, _ schema: StoreSchema, _ connection: SQLiteConnection
    ) {
        do {
            try removeOrphans(folder, schema, connection)
        } catch let failure as SQLiteFailure where failure.isBusy {
            // Somebody reads or writes the store, and does not know the folder's lock: the next sweep finds the files.
        } catch let failure as SQLiteFailure {
            folder.report(StoreError(failure, storeURL: folder.storeURL))
        } catch {
            folder.report(error)
        }
    }

    func sweep(_ folder: ExternalDataFolder, _ connection: SQLiteConnection) {
        Self.sweep(folder, plans.schema, connection)
    }

    private static func removeOrphans(
        _ folder: ExternalDataFolder, _ schema: StoreSchema, _ connection: SQLiteConnection
    ) throws {
        let settled = try folder.settledFiles()
        if settled.isEmpty { return }
        func orphans() throws -> Set<String> {
            ExternalDataFolder.orphans(among: settled, referenced: try connection.externalDataNames(in: schema))
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
                folder.remove(names: try orphans())
            }
        }
    }
}

extension SQLiteConnection {
    /// The names of all files that rows name.
    fileprivate func externalDataNames(in schema: StoreSchema) throws -> Set<UUID> {
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
