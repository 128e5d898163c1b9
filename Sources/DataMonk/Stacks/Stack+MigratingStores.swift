public import DataMonkCore
import DataMonkSQLite
import Foundation

extension Stack {
    /// Copies the objects of a store into a new one, of another kind or with other options: Core Data's
    /// `migratePersistentStore`.
    ///
    /// ```swift
    /// let stack = Stack(model: model)
    /// let migration = try await stack.migrateStore(.database(fileURL: old), to: .database(fileURL: new))
    /// try await stack.addStore(.database(fileURL: new))
    /// ```
    /// Values, links, the order of ordered relationships, row versions, external data and the application's metadata are
    /// copied; a history is not. The new store has an identifier of its own, and objects may have other keys there:
    /// ``StoreMigration/uri(for:)`` tells an object's new URI.
    ///
    /// The old store is read in one state and is not changed: remove it with ``destroyStore(_:)`` when it is no longer needed.
    /// Others may use it meanwhile; what they commit after the call began is not in the new store. The new store appears at
    /// its place when it is complete and on disk; a database file is examined before that. If the call fails or is cancelled,
    /// or if the process ends, there is none.
    ///
    /// - Parameters:
    ///   - source: A store of the stack's model, open or not. A database file is examined first, and refused if something is
    ///     wrong with it.
    ///   - target: The new store. Its configuration, if it has one, has to contain the entities of all objects.
    ///   - onProgress: Called before each part, on the thread that copies. An error that it throws cancels the migration.
    /// - Throws: ``/DataMonkCore/StoreError`` with the code `fileExists` if there is a file at the place of the new store,
    ///   `fileNotFound` if there is no old one, `incompatibleVersionHash` if it is of another version of the model (open it
    ///   once with `addStore`, which migrates it), `corrupt` if it has to be repaired first, `incompatibleSchema` if the new
    ///   store's configuration lacks an entity, `unsupportedRequest` for a store in memory, and others of the disk or of a
    ///   store of your own;
    ///   `CancellationError` if the task is cancelled; the error of `onProgress`.
    @discardableResult
    public func migrateStore(
        _ source: StoreDescription, to target: StoreDescription,
        onProgress: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) async throws -> StoreMigration {
        try coordinator.requireOutsideCommit()
        let copying = Stack(model: model, rootContext: .none, trace: trace)
        return try await StoreWorker().run {
            try copying.copyObjects(of: source, heldBy: self, into: target, onProgress)
        }
    }

    /// Removes a store with everything that belongs to it: the file, those that SQLite keeps beside it, and its external data,
    /// unless another store shares the folder.
    ///
    /// Nobody has a file of another kind open: a stack that has read it goes on, and refuses to save.
    ///
    /// ```swift
    /// try await stack.closeStores()
    /// try await Stack.destroyStore(.database(fileURL: url))
    /// ```
    /// What is removed cannot be brought back. A process that ends during the call leaves the store, or files beside it that
    /// the next call removes.
    ///
    /// - Parameter store: A store that nobody has open. Its kind and its place matter alone.
    /// - Returns: `false` if there was nothing.
    /// - Throws: ``/DataMonkCore/StoreError`` with the code `locked` if a stack of this or another process has the store open,
    ///   `incompatibleSchema`, `notADatabase` or `invalidType` if the file is not a store of the kind, `unsupportedRequest` for
    ///   a store in memory or of your own; nothing is removed then. Others of the disk.
    @discardableResult
    public static func destroyStore(_ store: StoreDescription) async throws -> Bool {
        let (url, kind) = try file(of: store, "destroyed")
        try PersistentStoreCoordinator.requireOutsideAnyCommit()
        return try await StoreWorker().run {
            guard let kind else { return try SQLiteStore.destroy(url) }
            return try AtomicFile.destroy(url, of: kind, files: SystemFileCalls.inUse.withLock { $0 })
        }
    }

    /// Replaces a store by a copy of another one, with its external data: to go back to a backup, for example.
    ///
    /// ```swift
    /// try await stack.closeStores()
    /// try await Stack.replaceStore(.database(fileURL: url), with: .database(fileURL: backupURL))
    /// ```
    /// The step by which the copy takes the place of the store comes last. If the call fails or is cancelled, or if the process
    /// ends before it, the store is unchanged. The copy has the identifier of the other store. If there is no store at the
    /// place, one is made.
    ///
    /// Files of external data are looked for beside the name of the other store; if it is a link without such a folder, beside
    /// the file that it leads to. If some of them are missing, the call fails, because the values would be lost together with
    /// the old store. To go back to the rest:
    ///
    /// ```swift
    /// let backup = try await Stack.replaceStore(
    ///     .database(fileURL: url), with: .database(fileURL: backupURL), allowsMissingFiles: true)
    /// print(backup.missingFiles)
    /// ```
    /// The model inside the other store tells which files there have to be. If it cannot be read, all files that exist are
    /// copied, and none is known to be missing. A file of the replaced store that has the name of one of them and other
    /// contents is damaged, and is replaced just before the last step.
    ///
    /// - Parameters:
    ///   - store: A store in a file, which nobody has open. Its kind and its place matter alone.
    ///   - source: Another store of the same kind, open or not. It is only read.
    ///   - allowsMissingFiles: Whether a database file is replaced although files of external data that objects of the other
    ///     one refer to do not exist.
    ///   - onProgress: Called with the progress of a database file, on the thread that copies. An error that it throws cancels
    ///     the call.
    /// - Returns: The copy. Its `missingFiles` are empty unless `allowsMissingFiles` is `true`.
    /// - Throws: ``/DataMonkCore/StoreError`` with the code `locked` if a stack of this or another process has the store open,
    ///   `fileNotFound` if there is no other store or if its external data is missing, `incompatibleSchema`, `notADatabase` or
    ///   `invalidType` if one of the files is not a store of the kind, `unsupportedRequest` if the kinds differ, `corrupt` if
    ///   the other one is damaged, `fileExists` if both are the same, `outOfSpace` and others of the disk; `CancellationError`
    ///   if the task is cancelled.
    @discardableResult
    public static func replaceStore(
        _ store: StoreDescription, with source: StoreDescription, allowsMissingFiles: Bool = false,
        onProgress: (@Sendable (StoreBackup.Progress) throws -> Void)? = nil
    ) async throws -> StoreBackup {
        let (url, kind) = try file(of: store, "replaced")
        let (sourceURL, _) = try file(of: source, "copied")
        guard store.type == source.type else { throw StoreError.differentKinds(url, sourceURL) }
        try PersistentStoreCoordinator.requireOutsideAnyCommit()
        return try await StoreWorker().run {
            guard let kind else {
                return try SQLiteStore.replace(url, with: sourceURL, allowsMissingFiles: allowsMissingFiles) {
                    try onProgress?($0)
                }
            }
            let count = try AtomicFile.replace(
                url, with: sourceURL, of: kind, files: SystemFileCalls.inUse.withLock { $0 })
            return StoreBackup(url: url, byteCount: Int64(count), externalFileCount: 0, missingFiles: [])
        }
    }

    // MARK: On a thread of the pool

    /// Copies the objects of a store into a new one, on the calling thread. The stack has no other stores, and is closed.
    ///
    /// - Parameter owner: The stack that may have the store open.
    @discardableResult
    package func copyObjects(
        of source: StoreDescription, heldBy owner: Stack? = nil, into target: StoreDescription,
        _ onProgress: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) throws -> StoreMigration {
        let result = Result { try copy(source, heldBy: owner, to: target, onProgress) }
        try coordinator.close()
        return try result.get()
    }

    private func copy(
        _ source: StoreDescription, heldBy owner: Stack?, to target: StoreDescription,
        _ onProgress: (@Sendable (MigrationProgress) throws -> Void)?
    ) throws -> StoreMigration {
        guard source.type != .inMemory, target.type != .inMemory else { throw StoreError.inMemory("migrated") }
        for store in [source, target] where store.type == .server { _ = try Self.file(of: store, "migrated") }
        if source.type == .sqlite, let url = source.url { try requireSound(url) }
        var source = source.borrowingStore
        source.readOnly = true
        source.autoMigrating = false
        if source.atomicStore != nil, let owner {
            // Its calls come one at a time: none of them while a commit saves it.
            try owner.coordinator.betweenCommits { try open(source) }
        } else {
            try open(source)
        }
        let entities = try entities(of: source.configuration)
        let held = try self.entities(of: target.configuration)
        let place = source.url ?? URL(fileURLWithPath: "/")
        let observer = { (entity: Entity, completed: Int64, total: Int64) throws -> Void in
            try onProgress?(
                MigrationProgress(
                    storeURL: place, entityName: entity.name, completedUnitCount: completed, totalUnitCount: total))
        }
        if target.type == .sqlite, let url = target.url {
            return try SQLiteStore.make(
                at: url, configuration: target.configuration, directory: coordinator.directory, index: 1,
                tracksHistory: target.tracksHistory, trace: trace.map { trace in StatementTrace { trace($0.sql) } }
            ) { store in
                try coordinator.add(store)
                return try transfer(entities, into: store, holding: held, observer: observer)
            }
        }
        return try transfer(entities, into: openNew(target), holding: held, observer: observer)
    }

    /// Opens a store that is loaded as a whole and has no objects yet. Its commit saves it for the first time.
    private func openNew(_ target: StoreDescription) throws -> any PersistentStore {
        if target.type != .custom, let url = target.url, FileManager.default.fileExists(atPath: url.path) {
            throw StoreError.targetExists(url)
        }
        var target = target.borrowingStore
        target.readOnly = false
        try open(target, savesNewStore: false)
        let store = coordinator.stores[1]
        let reader = try store.openReader()
        defer { reader.end() }
        for entity in model.entities where entity.root === entity && coordinator.storeIndices(of: entity).contains(1) {
            guard try reader.count(ResolvedFetch(FetchRequest(entityName: entity.name), model: model)) == 0 else {
                throw StoreError.targetHasObjects(target.url)
            }
        }
        return store
    }

    /// Copies the objects of the first store into the second one.
    private func transfer(
        _ entities: Set<Entity>, into target: any PersistentStore, holding held: Set<Entity>,
        observer: @escaping (Entity, Int64, Int64) throws -> Void
    ) throws -> StoreMigration {
        let source = coordinator.stores[0]
        let reader = try source.openReader()
        defer { reader.end() }
        let transaction = try target.beginTransaction()
        defer { transaction.end() }
        do {
            var transfer = try StoreTransfer(
                of: entities, from: reader, to: transaction, at: 1, directory: coordinator.directory, observer: observer
            )
            if let entity = transfer.entities.first(where: { !held.contains($0) }) {
                throw StoreError.entityWithoutPlace(entity)
            }
            try transfer.run()
            try transaction.setMetadata(source.metadata())
            try transaction.commit()
            return StoreMigration(
                objectCount: transfer.objectCount, sourceIdentifier: source.identifier, identifier: target.identifier,
                offsets: transfer.offsetsByEntityName)
        } catch {
            transaction.rollBack()
            throw error
        }
    }

    private func entities(of configuration: String?) throws -> Set<Entity> {
        guard let configuration else { return Set(model.entities) }
        guard let entities = model.entities(inConfiguration: configuration) else { return [] }
        let roots = Set(entities.map(\.root))
        return Set(model.entities.filter { roots.contains($0.root) })
    }

    private func requireSound(_ url: URL) throws {
        let examination = try StoreExaminer.examine(url, model: model).examination
        let findings = examination.findings.filter { $0.kind != .orphanFile }
        guard let finding = findings.first else { return }
        if findings.contains(where: { $0.kind == .differentModel }) {
            // Opening says which entities differ.
            return
        }
        throw StoreError.unsoundSource(url, finding, count: findings.count)
    }

    /// Returns the file of a store, and its form if it is held in memory as a whole.
    private static func file(of store: StoreDescription, _ deed: String) throws -> (URL, AtomicFile.Kind?) {
        switch (store.type, store.url) {
        case (.sqlite, let url?): return (url, nil)
        case (.xml, let url?): return (url, .xml)
        case (.binary, let url?): return (url, .binary)
        case (.custom, _):
            throw StoreError(
                .unsupportedRequest, "A store of your own cannot be \(deed) here. Do it where its data lies.",
                storeURL: store.url)
        case (.server, _):
            throw StoreError(
                .unsupportedRequest,
                "A store on a server cannot be \(deed) here. Use the server's own tools, such as pg_dump.")
        default: throw StoreError.inMemory(deed)
        }
    }
}

extension StoreError {
    fileprivate static func inMemory(_ deed: String) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "A store in memory cannot be \(deed), because it belongs to the stack that has it. Name a store in a file.")
    }

    fileprivate static func targetExists(_ url: URL) -> StoreError {
        StoreError(
            .fileExists,
            """
            There is a file \(url.lastPathComponent) already, which is not replaced. Choose another name, or move it away.
            """, storeURL: url)
    }

    fileprivate static func targetHasObjects(_ url: URL?) -> StoreError {
        StoreError(
            .fileExists, "The new store has objects already, which are not replaced. Pass a store without contents.",
            storeURL: url)
    }

    fileprivate static func differentKinds(_ url: URL, _ source: URL) -> StoreError {
        StoreError(
            .unsupportedRequest,
            """
            \(url.lastPathComponent) cannot be replaced by \(source.lastPathComponent), which is a store of another kind. \
            Migrate that with migrateStore, and replace the store by the result.
            """, storeURL: url)
    }

    fileprivate static func entityWithoutPlace(_ entity: Entity) -> StoreError {
        var error = StoreError(
            .incompatibleSchema,
            """
            The new store's configuration does not contain \(entity.name), of which the old store has objects. Name a \
            configuration that does, or none.
            """)
        error.entityName = entity.name
        return error
    }

    fileprivate static func unsoundSource(_ url: URL, _ finding: StoreFinding, count: Int) -> StoreError {
        let problems = count == 1 ? "a problem" : "\(count) problems, the first of them"
        return StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) was not copied, because an examination found \(problems): \(finding). Make a sound \
            copy with Stack.repair(storeAt:to:), and migrate that.
            """, storeURL: url)
    }
}
