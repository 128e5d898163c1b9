import DataMonkCore
import DataMonkSQLite
public import Foundation

extension Stack {
    /// Adds an in-memory store, whose data goes away with the stack.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - tracksHistory: Whether the store keeps a history of its transactions; see ``history(after:)``.
    /// - Throws: ``/DataMonkCore/StoreError`` if the model has no such configuration, and with the code `wouldDeadlock`
    ///   inside a commit of the stack.
    public func addInMemoryStore(configuration: String? = nil, tracksHistory: Bool = false) throws {
        try addAndWait(
            .inMemory(configuration: configuration, tracksHistory: tracksHistory), for: UpdateCall("addInMemoryStore"))
    }

    /// Adds a store without blocking: files are opened, created and migrated on another thread.
    ///
    ///     try await stack.addStore(.database(fileURL: url))
    ///
    /// Concurrent calls add their stores one after the other. Cancelling the task cancels a migration, as it does with
    /// `addDatabaseStore`.
    ///
    /// - Throws: The errors of the blocking methods: ``/DataMonkCore/StoreError``, ``/DataMonkCore/MigrationError``;
    ///   `CancellationError` if the task is cancelled before its turn comes.
    public func addStore(
        _ description: StoreDescription, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await StoreOpener().work(through: storeGate, for: UpdateCall("addStore", file: fileID, line: line)) {
            try open(description)
        }
    }

    /// Adds the database file `fileName` in the application support folder, which is created if it does not exist.
    ///
    /// - Parameter fileName: The name of the file; `nil` for the program's name with the extension `.sqlite`.
    public func addDatabaseStore(
        fileName: String? = nil, configuration: String? = nil, autoMigrating: Bool = true, infersMapping: Bool = true,
        stages: StagedMigration? = nil, discarding: DiscardableData = [], resetOnFailure: Bool = false,
        synchronous: StoreDescription.Synchronous = .full, tracksHistory: Bool = false,
        busyTimeout: Duration = .seconds(5), readOnly: Bool = false, immutable: Bool = false,
        onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) throws {
        try addAndWait(
            .database(
                fileName: fileName, configuration: configuration, autoMigrating: autoMigrating,
                infersMapping: infersMapping, stages: stages, discarding: discarding, resetOnFailure: resetOnFailure,
                synchronous: synchronous, tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly,
                immutable: immutable, onMigration: onMigration),
            for: UpdateCall("addDatabaseStore"))
    }

    /// Adds a database file in Core Data's format. The file and its folder are created if they do not exist.
    ///
    ///     try stack.addDatabaseStore(fileURL: url, resetOnFailure: true)
    ///
    /// Adding the same file again with the same options does nothing; what matters only while a file is opened
    /// (`discarding`, `resetOnFailure`, `onMigration`) may differ. A committed migration stands even if its log cannot be
    /// moved into the file afterwards; that error is passed to the handler of ``onError(_:)``.
    ///
    /// - Parameters:
    ///   - fileURL: The location of the file.
    ///   - configuration: The configuration of the model whose entities the store holds; `nil` for all entities.
    ///   - autoMigrating: Whether a file of another version of the model is migrated to this one with an inferred mapping;
    ///     see <doc:Migration>. Otherwise such a file is refused.
    ///   - infersMapping: Whether the mapping between two versions may be inferred from their models. Without it, a file of
    ///     another version that would be migrated is refused with the code `missingMapping`, which says that a migration is
    ///     due. `resetOnFailure` does not apply then. The `stages` are the mapping for a file of an earlier version; one of a
    ///     later version does not go through them, and the way back that `discarding: .laterVersions` permits is inferred,
    ///     so it is refused as well.
    ///   - stages: The versions that a migration goes through, with the mappings by hand, all in one transaction. They are
    ///     checked each time, and refused with the code `invalidStages`.
    ///   - discarding: The stored data that a migration may discard. Without it, a migration that would discard objects,
    ///     values or links throws, and so does opening a store that a newer program has migrated. Not required for data
    ///     removed between two versions that are both in the program's model file.
    ///   - resetOnFailure: Whether a file of another version that is not or cannot be migrated is moved aside and replaced
    ///     by a new one. `Shop.sqlite` and its external data move to a folder named after the file and the date,
    ///     `Shop.1767225600/Shop.sqlite`. This never happens for any other error, for a migration that would discard data,
    ///     for one whose code or mapping by hand fails, or for a store that a newer program has migrated. While somebody has
    ///     the file open, or copies its external data, it is refused with the code `locked`.
    ///   - synchronous: With `.full`, a commit that returned survives a power cut. With `.normal`, it survives the end of
    ///     the program; after a power cut the last commits may be missing, but none is torn.
    ///   - tracksHistory: Whether the store keeps a history of its transactions; see ``history(after:)``. A history
    ///     that the file already has is kept up in any case.
    ///   - busyTimeout: The time that opening the store or a commit waits for another program's write before it throws
    ///     `locked`.
    ///   - readOnly: Whether the store is opened for reading only. The file is neither created, migrated nor changed, and
    ///     committing its objects throws `readOnly`. Other programs may still write to it. Also works on a read-only volume.
    ///   - immutable: Whether the file is guaranteed not to change while it is open, as inside an application's bundle. It
    ///     is then read without locks and without a log. Implies `readOnly`. If the file does change, reads return wrong
    ///     results.
    ///   - onMigration: Called before each step of a migration, on the calling thread. An error that it throws cancels the
    ///     migration, as cancelling the calling task does; the file is then left unchanged.
    /// - Throws: ``/DataMonkCore/StoreError`` if the file is not a database, has another version, or is locked or
    ///   read-only; if permission is missing; if there is no such configuration; if the same file is open with other
    ///   options; or, with the code `wouldDeadlock`, inside a commit of the stack. ``UpdateError`` if another thread is
    ///   opening a store and does not finish before the stack's deadline. ``/DataMonkCore/MigrationError`` if no mapping
    ///   can be inferred between the versions, if the store's own version cannot be found, if its objects do not fit the
    ///   new version, if data would be discarded (`wouldDiscard`), if a newer program has migrated the store
    ///   (`newerStore`), if the code of a stage fails (`failedStage`), or if the migration was cancelled. The file is then
    ///   left unchanged.
    public func addDatabaseStore(
        fileURL: URL, configuration: String? = nil, autoMigrating: Bool = true, infersMapping: Bool = true,
        stages: StagedMigration? = nil, discarding: DiscardableData = [], resetOnFailure: Bool = false,
        synchronous: StoreDescription.Synchronous = .full, tracksHistory: Bool = false,
        busyTimeout: Duration = .seconds(5), readOnly: Bool = false, immutable: Bool = false,
        onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) throws {
        try addAndWait(
            .database(
                fileURL: fileURL, configuration: configuration, autoMigrating: autoMigrating,
                infersMapping: infersMapping, stages: stages, discarding: discarding, resetOnFailure: resetOnFailure,
                synchronous: synchronous, tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly,
                immutable: immutable, onMigration: onMigration),
            for: UpdateCall("addDatabaseStore"))
    }

    /// Adds a store of any kind on this thread, for a process that has no other.
    package func addStoreAndWait(_ description: StoreDescription) throws {
        try addAndWait(description, for: UpdateCall("addStore"))
    }

    private func addAndWait(_ description: StoreDescription, for call: UpdateCall) throws {
        try StoreOpener.workAndWait(on: self, for: call) { try open(description) }
    }

    /// The open stores, in the order in which they were added, with the options that they were added with.
    ///
    ///     let url = stack.storeDescriptions.first?.url
    ///
    /// Empty once the stack is closed.
    public var storeDescriptions: [StoreDescription] { openStores.withLock { $0 } }

    /// Removes a store from the stack and closes it, without blocking. The file stays.
    ///
    ///     try await stack.removeStore(at: url)
    ///
    /// Objects of the store that contexts still have can be neither read nor saved; a save that has changes of them fails, so
    /// save or discard them first. Waits for commits that are queued or being written. Its entities are then in the stack's
    /// other stores that hold them, if there are any. The store can be added again; objects must then be fetched anew.
    ///
    /// - Parameter url: The location of the store; `nil` for the store in memory, whose data is gone afterwards.
    /// - Throws: ``/DataMonkCore/StoreError`` if the stack has no such store, or if metadata of it waits to be saved, in which
    ///   cases nothing is removed; if its log could not be moved into the file, which is then done when it is next opened.
    ///   `CancellationError` if the task is cancelled before its turn comes.
    public func removeStore(at url: URL?, fileID: StaticString = #fileID, line: UInt = #line) async throws {
        try coordinator.requireOutsideCommit()
        try await StoreOpener().work(through: storeGate, for: UpdateCall("removeStore", file: fileID, line: line)) {
            let index = try coordinator.storeIndex(at: url)
            endTurnsOfMainContexts()
            defer {
                endTurnsOfMainContexts()
                coordinator.tellThatEverythingHasChanged()
            }
            let place = url?.standardizedFileURL
            let result = Result { try coordinator.removeStore(at: index) }
            // Also if it could not be closed properly.
            if coordinator.isRemoved(index) {
                endWatch(overStoreAt: index)
                openStores.withLock { $0.removeAll { $0.url == place } }
            }
            try result.get()
        }
    }

    // MARK: Opening, inside the gate

    /// Opens a store and adds it to the coordinator.
    ///
    /// - Parameter savesNewStore: Whether a new store that is saved as a whole is saved at once, and not by its first commit.
    func open(_ description: StoreDescription, savesNewStore: Bool = true) throws {
        if let url = description.url, let known = storeDescriptions.first(where: { $0.url == url }) {
            if known.hasOptions(of: description) { return }
            throw StoreError(
                .openFailed,
                "The store \(url.lastPathComponent) is already open with other options. Close the stack first.",
                storeURL: url)
        }
        if storeDescriptions.contains(where: { $0.type == .server }) { throw StoreError.serverBesideOthers }
        if description.type == .server { throw StoreError.serverWithoutURL }
        switch (description.type, description.url) {
        case (.sqlite, let url?): try openDatabase(at: url, description)
        case (.xml, let url?):
            try openAtomic(
                try XMLStore(url: url, files: SystemFileCalls.inUse.withLock { $0 }), description, savesNewStore)
        case (.binary, let url?):
            try openAtomic(
                try BinaryStore(url: url, files: SystemFileCalls.inUse.withLock { $0 }), description, savesNewStore)
        default:
            if let store = description.atomicStore {
                try openAtomic(store, description, savesNewStore)
            } else if let store = description.incrementalStore {
                try openIncremental(store, description, savesNewStore)
            } else {
                try openInMemory(description)
            }
        }
        openStores.withLock { $0.append(description) }
        watchNewStores()
        // After the watch has begun, so that no commit of another process comes between what is read now and the watch.
        coordinator.tellThatEverythingHasChanged()
        if coordinator.stores.count > 1 { coordinator.noteAddedStore() }
    }

    private func openInMemory(_ description: StoreDescription) throws {
        try model.requireCompleteness()
        try coordinator.add(
            InMemoryStore(
                directory: coordinator.directory, index: coordinator.stores.count,
                configuration: description.configuration, tracksHistory: description.tracksHistory))
    }

    private func openAtomic(
        _ store: some AtomicStore, _ description: StoreDescription, _ savesNewStore: Bool
    ) throws {
        try model.requireCompleteness()
        // Before a file is created for a configuration or a derivation that is unknown.
        try coordinator.requireRoom(forConfiguration: description.configuration)
        let claim = try description.claim()
        try addOrClose(
            InMemoryStore(
                store, directory: coordinator.directory, index: coordinator.stores.count,
                configuration: description.configuration, isReadOnly: description.readOnly,
                savesNewStore: savesNewStore, claim: claim))
    }

    private func openIncremental(
        _ store: some IncrementalStore, _ description: StoreDescription, _ savesNewStore: Bool
    ) throws {
        try model.requireCompleteness()
        try coordinator.requireRoom(forConfiguration: description.configuration)
        let claim = try description.claim()
        try addOrClose(
            InMemoryStore(
                store, directory: coordinator.directory, index: coordinator.stores.count,
                configuration: description.configuration, isReadOnly: description.readOnly,
                savesNewStore: savesNewStore, claim: claim))
    }

    private func addOrClose(_ store: InMemoryStore) throws {
        do {
            try coordinator.add(store)
        } catch {
            try store.close()
            throw error
        }
    }

    /// Opens a file. With `resetOnFailure`, another process may put the file aside, or make a store in its place, while this
    /// one opens it; whatever goes wrong then, the present file is opened.
    private func openDatabase(at url: URL, _ description: StoreDescription) throws {
        let deadline = ContinuousClock.now + description.busyTimeout
        while true {
            let opened = FileIdentity(ofFileIfPresentAt: url)
            do {
                return try openOrReset(url, description)
            } catch
                where description.resetOnFailure && ContinuousClock.now < deadline
                && FileIdentity(ofFileIfPresentAt: url) != opened
            {
                continue
            }
        }
    }

    private func openOrReset(_ url: URL, _ description: StoreDescription) throws {
        do {
            try coordinator.add(openFile(at: url, description))
        } catch
            where description.resetOnFailure && description.access.canWrite
            && Self.isOfOtherVersion(error, after: description.stages)
        {
            let moved = try SQLiteStore.putAside(
                url, unlessOf: coordinator.model, configuration: description.configuration)
            if let moved {
                // Nobody is thrown the reason.
                handleError(StoreError.putAside(url, to: moved.folder, because: error))
                if let failure = moved.failure { handleError(failure) }
            }
            try coordinator.add(openFile(at: url, description))
        }
    }

    /// Returns `true` if the file is sound but of a version that cannot be migrated, the case that `resetOnFailure` handles.
    /// An error that the caller can resolve by allowing more is not such a failure.
    private static func isOfOtherVersion(_ error: any Error, after stages: StagedMigration?) -> Bool {
        switch error {
        case let error as StoreError: error.isMismatchOfVersions
        case let error as MigrationError:
            [.notInferable, .missingSourceModel, .constraintViolation].contains(error.code)
                // A mapping by hand is the application's own, as is the code of a stage, and what they have made may not fit.
                && !error.problems.contains { [.invalidMapping, .unconvertibleValue, .lostLinks].contains($0.kind) }
                && !(error.code == .constraintViolation && stages?.hasOwnParts == true)
        default: false
        }
    }

    private func openFile(at url: URL, _ description: StoreDescription) throws -> SQLiteStore {
        try description.stages?.check(leadingTo: coordinator.model)
        let migration = migrationOptions(of: description)
        return try SQLiteStore.open(
            url, configuration: description.configuration, directory: coordinator.directory,
            index: coordinator.stores.count, access: description.access,
            durability: description.synchronous == .full ? .full : .normal, busyTimeout: description.busyTimeout,
            migration: description.autoMigrating ? migration : nil, tracksHistory: description.tracksHistory,
            trace: trace.map { trace in StatementTrace { trace($0.sql) } })
    }

    func migrationOptions(of description: StoreDescription) -> StoreMigrationOptions {
        var options = StoreMigrationOptions(
            earlierModels: earlierModels, infersMapping: description.infersMapping, stages: description.stages,
            discarding: description.discarding, observer: description.onMigration, report: handleError)
        options.configuration = description.configuration
        return options
    }
}

extension StoreDescription {
    var access: SQLiteOptions.Access {
        immutable ? .immutable : readOnly ? .readOnly : .readWriteCreate
    }
}

extension StoreError {
    static var serverBesideOthers: StoreError {
        StoreError(
            .openFailed,
            """
            A store on a server is the only store of its stack, and this stack has another one. Use a stack for each of them.
            """)
    }

    /// A description keeps no URL of a server, since it may contain a password.
    fileprivate static var serverWithoutURL: StoreError {
        StoreError(
            .openFailed,
            "The description of a store on a server has no URL. Add the store by addServerStore(_:), with its URL.")
    }

    /// Reported rather than thrown, because `resetOnFailure` asks for it.
    fileprivate static func putAside(_ url: URL, to folder: URL, because error: any Error) -> StoreError {
        StoreError(
            .incompatibleVersionHash,
            """
            \(url.lastPathComponent) is of another version of the model and could not be migrated. As resetOnFailure \
            demands, it was moved to \(folder.path), and an empty store takes its place. Open it there with the model \
            that it was written with. The underlying error is the reason.
            """, storeURL: url, underlyingError: error)
    }
}
