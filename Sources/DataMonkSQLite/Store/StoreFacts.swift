package import DataMonkCore
package import DataMonkSQL
package import Foundation

/// **Value.** The description of a store file for tools that have no model of it.
package struct StoreFacts: Sendable {
    /// The store's own identifier.
    package var identifier: UUID
    /// The metadata recorded by Core Data and by the application.
    package var metadata: StoreMetadata
    /// The bytes of the model in the store; `nil` in stores of frameworks that kept none (before 2013), or of other writers.
    package var modelCache: Data?
    /// The columns with a full-text index, which Core Data does not know, as `table.column`.
    package var textIndexes: [String] = []

    /// Reads the description of a store. The file is not changed: nothing is checkpointed, and if nobody has the file open,
    /// no file is created beside it either.
    ///
    /// - Throws: ``StoreError`` if there is no such file, or if it is not a database, not a store, or damaged.
    package static func read(_ url: URL) throws -> StoreFacts {
        try SQLiteConnection.reading(url) { try StoreFacts(on: $0, at: url) }
    }

    /// Reads the description of the store behind a connection.
    package init(on connection: SQLiteConnection, at url: URL) throws {
        let objects = try connection.schemaObjects()
        let tables = Set(objects.filter { $0.kind == .table }.map(\.name))
        guard tables.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) else { throw StoreError.noCoreDataStore(url) }
        textIndexes = objects.textIndexes.map { "\($0.tableName).\($0.columnName)" }.sorted()
        (identifier, metadata) = try SQLiteStore.readMetadata(from: connection, at: url)
        guard tables.contains("Z_MODELCACHE") else { return }
        modelCache = try connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { statement in
            try statement.step() ? statement.data(at: 0) : nil
        }
    }

    /// Returns the model in the store, as far as it is readable.
    ///
    /// - Throws: ``StoreError`` if there is none (`missingModel`), or if it is damaged.
    package func archivedModel(_ url: URL) throws -> ArchivedModel {
        guard let modelCache, !modelCache.isEmpty else { throw StoreError.missingModel(url) }
        do {
            return try ModelCache.read(modelCache)
        } catch {
            throw StoreError.unreadableModel(error, in: url)
        }
    }

    /// Returns the model in the store, which is the one that the store was written with.
    ///
    /// - Parameter classes: The managed object classes that the model refers to by name.
    /// - Throws: ``StoreError`` if there is no model (`missingModel`), if it is damaged, or if parts of it could not be read
    ///   (`incompatibleVersionHash`); ``ModelError`` with every problem of an invalid model.
    package func model(_ url: URL, classes: [ManagedObject.Type] = []) throws -> ManagedObjectModel {
        let (model, omissions) = try archivedModel(url).model(
            classes: classes, storedHashes: metadata.versionHashes)
        let hashes = model.entityVersionHashesByName
        // If the model has configurations, a store contains only some of the entities.
        let different = metadata.versionHashes.filter { hashes[$0.key] != $0.value }.keys
        guard different.isEmpty else {
            throw StoreError.differentModel(
                different.sorted(by: String.precedesInBytes), omissions: omissions.map(\.description), in: url)
        }
        return model
    }
}

extension StoreError {
    fileprivate static func missingModel(_ url: URL) -> StoreError {
        StoreError(
            .missingModel,
            """
            \(url.lastPathComponent) does not contain its model, because an older framework wrote it. Load the model \
            that it was written with from a file.
            """, storeURL: url)
    }

    fileprivate static func unreadableModel(_ error: any Error, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            "The model in \(url.lastPathComponent) cannot be read. Load it from a file; the data may still be intact.",
            storeURL: url, underlyingError: error)
    }

    fileprivate static func differentModel(_ names: [String], omissions: [String], in url: URL) -> StoreError {
        let parts = omissions.isEmpty ? "" : " These parts could not be read: \(omissions.joined(separator: "; "))."
        return StoreError(
            .incompatibleVersionHash,
            """
            The model in \(url.lastPathComponent) does not produce the version hashes of \
            \(names.joined(separator: ", ")) that the store was written with.\(parts) Load the model from a file.
            """, storeURL: url)
    }
}
