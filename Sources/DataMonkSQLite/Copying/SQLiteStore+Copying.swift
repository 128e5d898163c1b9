package import DataMonkCore
package import Foundation

extension SQLiteStore {
    /// Copies the store as it is now to a new file. Blocks the calling thread alone.
    ///
    /// - Throws: See ``StoreCopier/backUp(_:to:busyTimeout:schema:allowsMissingFiles:observer:replacingAfter:)``;
    ///   ``StoreError`` if the store's file was moved or replaced.
    package func backUp(
        to target: URL, observer: (StoreBackup.Progress) throws -> Void
    ) throws -> StoreBackup {
        try files.checkAll()
        return try StoreCopier.backUp(fileURL, to: target, schema: { _ in plans.schema }, observer: observer)
    }

    /// Moves the log into the file and empties it, as far as readers and other processes permit. Nobody else writes to this
    /// store in this process meanwhile.
    package func checkpoint() throws {
        if isReadOnly { return }
        try StoreError.translatingFailures(of: fileURL) {
            // The pages are moved without a lock; what is left to do under it takes no time.
            do { _ = try checkpointer.checkpoint() } catch {
                desk.noteFailedCheckpoint(error)
                throw error
            }
            try desk.emptyLog()
        }
    }
}
