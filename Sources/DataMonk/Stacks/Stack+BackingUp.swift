public import DataMonkCore
import DataMonkSQLite
public import Foundation

extension Stack {
    /// Copies a store, with its external data, while it is in use.
    ///
    /// ```swift
    /// let backup = try await stack.backUp(to: url)
    /// print(backup.byteCount, backup.missingFiles)
    /// ```
    /// The backup is one state of the store: everything that was committed before the call, and nothing of what is committed
    /// during it. Commits go on meanwhile, and none waits; what they write stays in the log until the backup has ended.
    /// Unsaved changes are not part of it.
    ///
    /// The backup appears at its place with one step, when it is complete and on disk. If it fails, if the task is cancelled or
    /// if the process ends, there is nothing. It is a store like any other: open it with a stack of its own. Its identifier is
    /// that of the original, so one stack cannot have both.
    ///
    /// - Parameters:
    ///   - target: The place of the backup, in a folder that exists. A file that is there is not replaced.
    ///   - url: The store; `nil` if the stack has only one in a file.
    ///   - onProgress: Called with the progress on the thread that copies, about every four megabytes. An error that it throws
    ///     cancels the backup.
    /// - Throws: ``StoreError`` with the code `fileExists` if there is a file at the target, the log of one or a folder for the
    ///   external data of another store by that name, or if another copy is being made there, `fileNotFound` if the stack has
    ///   no such store, `unsupportedRequest` if `url` is `nil` and there are several stores or none, `outOfSpace`,
    ///   `noWritePermission` and others of the disk; `CancellationError` if the task is cancelled; the error of `onProgress`.
    public func backUp(
        to target: URL, storeAt url: URL? = nil,
        onProgress: (@Sendable (StoreBackup.Progress) throws -> Void)? = nil
    ) async throws -> StoreBackup {
        let store = try databaseStore(at: url, for: "to copy")
        return try await StoreWorker().run {
            try store.backUp(to: target.standardizedFileURL) { try onProgress?($0) }
        }
    }

    /// Moves the commits that are in the logs of the stack's files into the files, and empties the logs.
    ///
    /// ```swift
    /// if stack.logByteCount > 100_000_000 { try stack.checkpoint() }
    /// ```
    /// A stack does this by itself after commits, when a log has grown by four megabytes, and when it is closed. Call it before
    /// the files are copied by something else than ``backUp(to:storeAt:onProgress:)``, or before a long pause. What another
    /// process or a reader still needs stays in the log; nobody is waited for.
    ///
    /// - Returns: The number of bytes that remain in the logs: 0 if nobody else is reading.
    /// - Throws: ``StoreError`` if a file cannot be written; with the code `wouldDeadlock` inside a commit of the stack. No
    ///   commits are lost then.
    @discardableResult
    public func checkpoint() throws -> Int64 {
        try coordinator.checkpointStores()
        return logByteCount
    }

    /// The size of the logs of the stack's files, in bytes. A log that was moved into its file without being emptied keeps its
    /// size, and is used again from its start.
    public var logByteCount: Int64 {
        coordinator.stores.compactMap(\.url).reduce(0) { sum, url in
            var status = stat()
            return stat(url.resolvingSymlinksInPath().path + "-wal", &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    /// Returns the store in a file at a location, or the only one.
    ///
    /// - Parameter purpose: The purpose, for the message: "to copy".
    func databaseStore(at url: URL?, for purpose: String) throws -> SQLiteStore {
        let stores = coordinator.stores.compactMap { $0 as? SQLiteStore }
        if let url {
            let place = url.standardizedFileURL
            if let store = stores.first(where: { $0.fileURL.standardizedFileURL == place }) { return store }
            throw StoreError(
                .fileNotFound, "The stack has no store at \(url.path). Add it first, or name one that it has.",
                storeURL: url)
        }
        guard let store = stores.first, stores.count == 1 else {
            throw StoreError(
                .unsupportedRequest,
                stores.isEmpty
                    ? "The stack has no store in a file, so there is nothing \(purpose). Add one first."
                    : "The stack has \(stores.count) stores in files. Name one of them with storeAt.")
        }
        return store
    }
}
