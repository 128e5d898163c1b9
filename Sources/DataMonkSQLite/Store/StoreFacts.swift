package import DataMonkCore
package import DataMonkSQL
package import Foundation

/// **Value.** What a store file says of itself to whoever has no model of it.
package struct StoreFacts: Sendable {
    /// The store's own identifier.
    package var identifier: UUID
    /// What Core Data and the application noted.
    package var metadata: StoreMetadata
    /// The model inside, as bytes; nil in stores of frameworks that kept none (before 2013), or of other writers.
    package var modelCache: Data?

    /// Reads what a store says of itself. The file is not changed: nothing is checkpointed, and where nobody has the file
    /// open, nothing is created beside it either.
    ///
    /// - Throws: ``StoreError``: there is no such file, it is no database, no store, or damaged.
    package static func read(_ url: URL) throws -> StoreFacts {
        try reading(url) { try StoreFacts($0, url) }
    }

    /// Runs `body` on a connection that leaves the file as it is.
    static func reading<Value>(_ url: URL, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try StoreError.translatingFailures(of: url) {
            // Without a log and a journal nobody is writing; with one SQLite has to find out what counts, for which it
            // takes locks and makes its `-shm`.
            let isAtRest = !["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: url.path + $0) }
            var options = SQLiteOptions(access: isAtRest ? .immutable : .readOnly)
            options.label = "facts"
            let connection = try SQLiteConnection(fileURL: url, options: options)
            let value = try body(connection)
            try connection.close()
            return value
        }
    }

    /// What the store behind a connection says of itself.
    package init(_ connection: SQLiteConnection, _ url: URL) throws {
        let tables = Set(try connection.schemaObjects().filter { $0.kind == .table }.map(\.name))
        guard tables.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) else { throw StoreError.noCoreDataStore(url) }
        (identifier, metadata) = try SQLiteStore.readMetadata(connection, url)
        guard tables.contains("Z_MODELCACHE") else { return }
        modelCache = try connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { statement in
            defer { statement.reset() }
            return try statement.step() ? statement.data(at: 0) : nil
        }
    }

    /// The model inside, as far as it can be read.
    ///
    /// - Throws: ``StoreError``: there is none (`missingModel`), or it is damaged.
    package func archivedModel(_ url: URL) throws -> ArchivedModel {
        guard let modelCache, !modelCache.isEmpty else { throw StoreError.missingModel(url) }
        do {
            return try ModelCache.read(modelCache)
        } catch {
            throw StoreError.unreadableModel(error, url)
        }
    }

    /// The model inside, which is the one that the store was written with.
    ///
    /// - Parameter classes: The classes of managed objects that the model's class names stand for.
    /// - Throws: ``StoreError``: there is none (`missingModel`), it is damaged, or parts of it could not be read
    ///   (`incompatibleVersionHash`); ``ModelError`` with every problem of a model that is not sound.
    package func model(_ url: URL, classes: [ManagedObject.Type] = []) throws -> ManagedObjectModel {
        let (model, omissions) = try archivedModel(url).model(
            classes: classes, storedHashes: metadata.versionHashes)
        let hashes = model.entityVersionHashesByName
        // Of a model with configurations a store holds some entities only.
        let different = metadata.versionHashes.filter { hashes[$0.key] != $0.value }.keys
        guard different.isEmpty else {
            throw StoreError.differentModel(
                different.sorted(by: String.precedesInBytes), omissions.map(\.description), url)
        }
        return model
    }
}

extension StoreError {
    fileprivate static func missingModel(_ url: URL) -> StoreError {
        StoreError(
            .missingModel,
            """
            \(url.lastPathComponent) does not hold its model: older frameworks left it out. Load the model that it was \
            written with from a file.
            """, storeURL: url)
    }

    fileprivate static func unreadableModel(_ error: any Error, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            "The model inside \(url.lastPathComponent) cannot be read. Load it from a file: the data need not be damaged.",
            storeURL: url, underlyingError: error)
    }

    fileprivate static func differentModel(_ names: [String], _ omissions: [String], _ url: URL) -> StoreError {
        let parts = omissions.isEmpty ? "" : " Not understood: \(omissions.joined(separator: "; "))."
        return StoreError(
            .incompatibleVersionHash,
            """
            The model inside \(url.lastPathComponent) does not give the version of \(names.joined(separator: ", ")) that \
            the store was written with.\(parts) Load the model from a file.
            """, storeURL: url)
    }
}
