import DataMonkCore
import DataMonkSQL
import Foundation

/// The code of a stage sees the store as a context does, by a coordinator of its own over a ``StageStore``: the file inside the
/// migration's transaction. Its saves are savepoints.
extension StoreMigrator {
    /// Returns the schema of the version before a stage, over the application's model if it has one.
    func source(of step: StoreMigrationOptions.Step, stored: StoreSchema) throws -> StoreSchema {
        guard let model = step.source, model !== stored.model else { return stored }
        let names = Set(stored.members.map(\.name))
        let schema = StoreSchema(model: model, members: model.entities.filter { names.contains($0.name) })
        return try SQLiteStore.fitted(schema, to: connection)
    }

    /// Runs code of a stage over the objects that the store has now, and saves what it has changed.
    ///
    /// - Parameters:
    ///   - schema: The schema that the store has now.
    ///   - metadata: The metadata of this version. The code may change what the application keeps in it.
    ///   - place: The number of stages that were carried out before.
    ///   - count: The number of stages.
    func run(
        _ code: MigrationStage.Code, over schema: StoreSchema, _ metadata: inout StoreMetadata, place: Int,
        of count: Int
    ) throws {
        try write(metadata)
        try dropIndexingTriggers()
        try SQLiteStore.replaceTriggers(of: schema, on: connection, at: fileURL)
        let progress = MigrationProgress(
            storeURL: fileURL, entityName: nil, completedUnitCount: Int64(place), totalUnitCount: Int64(count))
        let watch = StageWatch { [observer = options.observer] in
            try Task.checkCancellation()
            try observer?(progress)
        }
        let reads = IncompleteReads()
        do {
            try watch.look()
            try connection.enclosing { try run(code, over: schema, watch: watch, keeping: reads) }
            try watch.look()
        } catch {
            if let cause = watch.cause { throw MigrationError.cancelled(cause, in: fileURL) }
            if error is CancellationError || Task.isCancelled { throw MigrationError.cancelled(error, in: fileURL) }
            throw errorOfStage(error)
        }
        // Also if the code has rolled back or reset its context: the next stage removes what was left out.
        if let error = reads.first {
            throw errorOfDisk(behind: error) ?? MigrationError.unreadStage(because: error, in: fileURL)
        }
        metadata = try SQLiteStore.readMetadata(from: connection, at: fileURL).1
    }

    private func run(
        _ code: MigrationStage.Code, over schema: StoreSchema, watch: StageWatch, keeping reads: IncompleteReads
    ) throws {
        let model = schema.model
        let coordinator = PersistentStoreCoordinator(model: model)
        coordinator.setErrorHandler(options.report)
        coordinator.directory.keepIncompleteReads(in: reads)
        let name = options.configuration.flatMap { model.entities(inConfiguration: $0) == nil ? nil : $0 }
        let store = try StageStore(
            over: connection, schema: schema, configuration: name, directory: coordinator.directory,
            derivations: derivations, files: files, watch: watch)
        defer { store.end() }
        try coordinator.add(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        defer { context.endTurn() }
        try code(context)
        try context.save()
    }

    /// Returns the error of a stage for one that its code has thrown. Those of the store's own disk and locks stay as they are:
    /// they say nothing about the code.
    private func errorOfStage(_ error: any Error) -> any Error {
        let error = (error as? SQLiteFailure).map { StoreError($0, storeURL: fileURL) } ?? error
        if let error = errorOfDisk(behind: error) { return error }
        if let error = error as? StoreError, error.storeURL == fileURL, error.code == .corrupt { return error }
        if var error = error as? MigrationError, error.isOfCode {
            error.storeURL = fileURL
            return error
        }
        let isUnread =
            (error as? SaveError)?.failedAccesses.contains { $0.kind == .read }
            ?? ((error as? FetchError)?.code == .unreadValues)
        return isUnread
            ? MigrationError.unreadStage(because: error, in: fileURL)
            : MigrationError.failedStage(because: error, in: fileURL)
    }

    /// Returns the error of the store's own disk, its locks or the memory that an error of ours tells of; `nil` if there is
    /// none.
    private func errorOfDisk(behind error: any Error) -> (any Error)? {
        switch error {
        case let error as SaveError: return error.underlyingError.flatMap { errorOfDisk(behind: $0) }
        case let error as FetchError: return error.underlyingError.flatMap { errorOfDisk(behind: $0) }
        case let error as MigrationError where error.isOfCode:
            return error.underlyingError.flatMap { errorOfDisk(behind: $0) }
        case let error as StoreError where error.storeURL == fileURL:
            let isShortOfMemory = (error.underlyingError as? SQLiteFailure)?.isShortOfMemory ?? false
            return isShortOfMemory || Self.codesOfDisk.contains(error.code) ? error : nil
        default: return nil
        }
    }

    private static let codesOfDisk: Set<StoreError.Code> = [
        .locked, .outOfSpace, .readFailed, .writeFailed, .readOnly, .noReadPermission, .noWritePermission, .openFailed,
        .fileMoved,
    ]

    /// Drops the triggers of full-text indexes. The indexes are made anew when the store is opened.
    private func dropIndexingTriggers() throws {
        for object in try connection.schemaObjects()
        where object.kind == .trigger && TextIndexSchema(objectNamed: object.name) != nil {
            try connection.execute("DROP TRIGGER \(SQLIdentifier.quotedIfNeeded(object.name))")
        }
    }
}

/// **Shared.** Asks, at each save of code, whether the migration goes on.
final class StageWatch: Sendable {
    private let question: @Sendable () throws -> Void
    private let answer = Locked<Cause?>(nil)

    private typealias Cause = any Error

    init(_ question: @escaping @Sendable () throws -> Void) { self.question = question }

    /// The reason why the migration does not go on; `nil` if it does.
    var cause: (any Error)? { answer.withLock { $0 } }

    /// - Throws: The reason why the migration does not go on, then and at each later call.
    func look() throws {
        if let cause { throw cause }
        do { try question() } catch {
            answer.withLock { $0 = error }
            throw error
        }
    }
}
