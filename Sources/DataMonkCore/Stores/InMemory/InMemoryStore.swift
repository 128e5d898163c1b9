package import Foundation

/// **Shared.** A store that keeps its rows in memory, with the same rules as every store: snapshots, versions, savepoints.
///
/// For tests, caches and previews. A snapshot is a copy of the contents, so a commit while a reader is open copies the
/// tables that it writes.
package final class InMemoryStore: PersistentStore {
    package let identifier = UUID()
    package let configuration: String?
    package let url: URL? = nil

    let directory: ObjectDirectory
    let index: Int
    private let contents: Locked<InMemoryContents?>

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - index: The index of the store among the coordinator's stores.
    ///   - tracksHistory: Whether the store keeps a history.
    package init(directory: ObjectDirectory, index: Int, configuration: String? = nil, tracksHistory: Bool = false) {
        var contents = InMemoryContents()
        if tracksHistory { contents.history = HistoryJournal() }
        self.contents = Locked(contents)
        self.directory = directory
        self.index = index
        self.configuration = configuration
    }

    package func openReader() throws -> any StoreReader {
        InMemoryReader(try snapshot(), directory: directory)
    }

    package func beginTransaction() throws -> any StoreTransaction {
        InMemoryTransaction(try snapshot(), store: self)
    }

    package func metadata() throws -> [String: ManagedValue] {
        try snapshot().metadata.merging([
            "NSStoreType": "InMemory", "NSStoreUUID": .string(identifier.uuidString),
        ]) { _, own in own }
    }

    package func close() throws {
        contents.withLock { $0 = nil }
    }

    private func snapshot() throws -> InMemoryContents {
        guard let contents = contents.withLock({ $0 }) else { throw StoreError.noStores }
        return contents
    }

    func replaceContents(_ new: InMemoryContents) {
        contents.withLock { if $0 != nil { $0 = new } }
    }
}
