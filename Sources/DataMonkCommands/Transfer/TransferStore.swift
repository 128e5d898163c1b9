import DataMonk
import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import Foundation

/// **Value.** A store that rows are imported into or exported from, with its model and the notes of a mapping file.
struct TransferStore {
    let stack: Stack

    /// Opens a store that exists. It is never migrated.
    ///
    /// - Parameter modelURL: A model to use in place of the one in the store, which must be of the store's version.
    /// - Throws: ``StoreError``, ``ModelError``; ``CommandError`` for the mapping, and for the model of another version.
    init(_ source: StoreArguments, mappingAt mappingURL: URL?, readOnly: Bool) async throws {
        let url = source.url
        let facts = try StoreFacts.read(url)
        var model: ManagedObjectModel
        if let modelURL = source.modelURL {
            model = try GivenModel(at: modelURL, for: facts.metadata).model
        } else {
            model = try facts.model(url)
        }
        guard let configuration = model.matchingConfiguration(of: facts.metadata) else {
            throw CommandError(
                "\(url.lastPathComponent) was written with another version of the model. Migrate it, or pass its own model.",
                .data)
        }
        if let mappingURL {
            model = try MappingFile(at: mappingURL).applied(to: model, storedHashes: facts.metadata.versionHashes)
        }
        stack = Stack(model: model)
        try await stack.addStore(
            .database(
                fileURL: url, configuration: configuration.name, autoMigrating: false, readOnly: readOnly))
    }
}

/// **Value.** A problem of what a command was given, and the status that the program ends with.
struct CommandError: Error, CustomStringConvertible {
    let message: String
    let status: ExitStatus

    init(_ message: String, _ status: ExitStatus) {
        self.message = message
        self.status = status
    }

    var description: String { message }
}
