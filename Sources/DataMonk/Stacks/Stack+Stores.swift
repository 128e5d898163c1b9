import DataMonkCore
import DataMonkSQLite
public import Foundation

extension Stack {
    /// Adds a store that keeps its data in memory and forgets it with the stack.
    ///
    /// - Parameters:
    ///   - configuration: the model's configuration whose entities it holds; nil for all.
    ///   - tracksHistory: whether the store keeps a history of its transactions: see ``history(after:)``.
    /// - Throws: ``StoreError`` if the model has no such configuration.
    public func addInMemoryStore(configuration: String? = nil, tracksHistory: Bool = false) throws {
        try StoreKeeper.workAndWait(through: storeGate, UpdateCall("addInMemoryStore"), until: deadline) {
            try openInMemory(configuration: configuration, tracksHistory: tracksHistory)
        }
    }

    /// Adds a store without blocking: files are opened, made and migrated on another thread.
    ///
    ///     try await stack.addStore(.database(fileURL: url))
    ///
    /// Several at once are added one after the other. The cancellation of the task cancels a migration, as it does with
    /// `addDatabaseStore`.
    ///
    /// - Throws: what the forms throw that block: ``StoreError``, ``MigrationError``; `CancellationError` if the task is
    ///   cancelled before its turn comes.
    public func addStore(
        _ description: StoreDescription, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await StoreKeeper().work(through: storeGate, UpdateCall("addStore", fileID, line)) {
            try description.add(self)
        }
    }

    /// Adds the database file `fileName` in the application support folder, which is made if it is not there.
    ///
    /// - Parameter fileName: the file's name; nil for the program's name and `.sqlite`.
    public func addDatabaseStore(
        fileName: String? = nil, configuration: String? = nil, autoMigrating: Bool = true,
        discarding: DiscardableData = [], resetOnFailure: Bool = false,
        synchronous: DatabaseStoreOptions.Synchronous = .full, tracksHistory: Bool = false,
        busyTimeout: Duration = .seconds(5), readOnly: Bool = false, immutable: Bool = false,
        onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) throws {
        try addDatabaseStore(
            fileURL: Self.fileURL(named: fileName), configuration: configuration, autoMigrating: autoMigrating,
            discarding: discarding, resetOnFailure: resetOnFailure, synchronous: synchronous,
            tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly, immutable: immutable,
            onMigration: onMigration)
    }

    /// Adds a database file in Core Data's format; makes it, and its folder, if they are not there.
    ///
    ///     try stack.addDatabaseStore(fileURL: url, resetOnFailure: true)
    ///
    /// The same file with the same options again does nothing. A migration that is committed stands: if its log cannot be
    /// moved into the file then, ``onError(_:)``'s handler is told.
    ///
    /// - Parameters:
    ///   - fileURL: where the file lies.
    ///   - configuration: the model's configuration whose entities it holds; nil for all.
    ///   - autoMigrating: whether a file of another version of the model is migrated to this one, by what the two models
    ///     say: see <doc:Migration>. Otherwise it is refused.
    ///   - discarding: stored data that a migration may discard. Without it a migration that would discard objects, values
    ///     or links throws, and so does the opening of a store that a newer program has migrated. It is not asked for what
    ///     goes between two versions that are both in the program's model file.
    ///   - resetOnFailure: whether a file that is of another version and is not or cannot be migrated is put aside and a new
    ///     one made: `Shop.sqlite` goes to a folder with its name and the date, `Shop.1767225600/Shop.sqlite`, its external
    ///     data with it. Never for another error, nor for a migration that would discard something or a store that a newer
    ///     program has migrated.
    ///   - synchronous: `.full`: a commit that returned survives a power cut. `.normal`: it survives the program's end;
    ///     after a power cut the last commits may be missing, none torn.
    ///   - tracksHistory: whether the store keeps a history of its transactions: see ``history(after:)``. A program that
    ///     opens the file without it writes nothing into the history that is there.
    ///   - busyTimeout: how long a commit, or opening, waits for another program that writes: then it throws `locked`.
    ///   - readOnly: whether the store is opened for reading alone. The file is neither made, migrated nor changed; a commit
    ///     of its objects throws `readOnly`. Others may write meanwhile. It works on a volume that cannot be written, too.
    ///   - immutable: whether nobody at all changes the file while it is open, as one inside an application's bundle. It is
    ///     then read without locks and without a log; includes `readOnly`. If somebody does change it, reads go wrong.
    ///   - onMigration: told of each step of a migration before it is done, on the calling thread. What it throws cancels
    ///     the migration, as the cancellation of the calling task does: the file then is as it was.
    /// - Throws: ``StoreError``: not a database, another version, no permission, locked, read-only, no such configuration,
    ///   or the same file open with other options. ``UpdateError`` if another thread is opening a store and does not end
    ///   before the stack's deadline. ``MigrationError``: the versions differ by more than can be inferred,
    ///   the store's own version is nowhere to be found, its objects do not fit, something would be discarded
    ///   (`wouldDiscard`), a newer program has migrated it (`newerStore`), cancelled. The file then is as it was.
    public func addDatabaseStore(
        fileURL: URL, configuration: String? = nil, autoMigrating: Bool = true, discarding: DiscardableData = [],
        resetOnFailure: Bool = false, synchronous: DatabaseStoreOptions.Synchronous = .full,
        tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5), readOnly: Bool = false,
        immutable: Bool = false, onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) throws {
        let options = DatabaseStoreOptions(
            configuration: configuration, autoMigrating: autoMigrating, synchronous: synchronous,
            tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly, immutable: immutable)
        try StoreKeeper.workAndWait(through: storeGate, UpdateCall("addDatabaseStore"), until: deadline) {
            try openDatabase(
                fileURL, options, discarding: discarding, resetOnFailure: resetOnFailure, onMigration)
        }
    }

    // MARK: Machinery, behind the gate

    func openInMemory(configuration: String?, tracksHistory: Bool) throws {
        try model.requireCompleteness()
        try coordinator.add(
            InMemoryStore(
                directory: coordinator.directory, index: coordinator.stores.count, configuration: configuration,
                tracksHistory: tracksHistory))
    }

    static func fileURL(named name: String?) throws -> URL {
        let folder = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        return folder.appendingPathComponent(name ?? (ProcessInfo.processInfo.processName + ".sqlite"))
    }

    func openDatabase(
        _ fileURL: URL, _ options: DatabaseStoreOptions, discarding: DiscardableData, resetOnFailure: Bool,
        _ onMigration: (@Sendable (MigrationProgress) throws -> Void)?
    ) throws {
        let url = fileURL.standardizedFileURL
        if let known = openFiles.withLock({ $0[url] }) {
            if known == options { return }
            throw StoreError(
                .openFailed,
                "The store \(url.lastPathComponent) is open already, with other options. Close the stack first.",
                storeURL: url)
        }
        let migration =
            options.autoMigrating
            ? StoreMigrationOptions(
                earlierModels: earlierModels, discarding: discarding, observer: onMigration, report: report) : nil
        do {
            try coordinator.add(open(url, options, migration))
        } catch  where resetOnFailure && options.access.canWrite && Self.isOfOtherVersion(error) {
            let folder = try SQLiteStore.putAside(
                url, unlessOf: coordinator.model, configuration: options.configuration)
            if let folder { warn("\(url.lastPathComponent) is of another version, and was moved to \(folder.path).") }
            try coordinator.add(open(url, options, migration))
        }
        openFiles.withLock { $0[url] = options }
    }

    /// Whether the file is sound, but of a version that it cannot be brought from: what `resetOnFailure` is for. What a
    /// caller may still allow is no failure.
    private static func isOfOtherVersion(_ error: any Error) -> Bool {
        switch error {
        case let error as StoreError: error.isMismatchOfVersions
        case let error as MigrationError: ![.cancelled, .wouldDiscard, .newerStore].contains(error.code)
        default: false
        }
    }

    private func open(
        _ url: URL, _ options: DatabaseStoreOptions, _ migration: StoreMigrationOptions?
    ) throws -> SQLiteStore {
        try SQLiteStore.open(
            url, configuration: options.configuration, directory: coordinator.directory,
            index: coordinator.stores.count, access: options.access,
            durability: options.synchronous == .full ? .full : .normal, busyTimeout: options.busyTimeout,
            migration: migration, tracksHistory: options.tracksHistory,
            trace: trace.map { trace in StatementTrace { trace($0.sql) } })
    }
}

/// **Value.** How a database store was opened.
public struct DatabaseStoreOptions: Sendable, Hashable {
    /// **Value.** What a commit waits for.
    public enum Synchronous: Sendable, Hashable {
        /// The disk: a commit survives a power cut.
        case full
        /// The operating system: a commit survives the end of the program.
        case normal
    }

    let configuration: String?
    let autoMigrating: Bool
    let synchronous: Synchronous
    let tracksHistory: Bool
    let busyTimeout: Duration
    let readOnly: Bool
    let immutable: Bool

    var access: SQLiteOptions.Access { immutable ? .immutable : readOnly ? .readOnly : .readWriteCreate }
}
