public import DataMonkCore
public import Foundation

/// **Value.** A store to add to a stack: see ``Stack/addStore(_:fileID:line:)``.
///
///     try await stack.addStore(.database(fileURL: url, resetOnFailure: true))
public struct StoreDescription: Sendable {
    let add: @Sendable (Stack) throws -> Void

    /// An in-memory store. See ``Stack/addInMemoryStore(configuration:tracksHistory:)``.
    public static func inMemory(configuration: String? = nil, tracksHistory: Bool = false) -> StoreDescription {
        StoreDescription { try $0.openInMemory(configuration: configuration, tracksHistory: tracksHistory) }
    }

    /// A database file. The parameters are those of `Stack.addDatabaseStore(fileURL:)`; `onMigration` is called on the
    /// thread that migrates.
    public static func database(
        fileURL: URL, configuration: String? = nil, autoMigrating: Bool = true, discarding: DiscardableData = [],
        resetOnFailure: Bool = false, synchronous: DatabaseStoreOptions.Synchronous = .full,
        tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5), readOnly: Bool = false,
        immutable: Bool = false, onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) -> StoreDescription {
        StoreDescription { stack in
            try stack.openDatabase(
                at: fileURL,
                options: DatabaseStoreOptions(
                    configuration: configuration, autoMigrating: autoMigrating, synchronous: synchronous,
                    tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly, immutable: immutable),
                discarding: discarding, resetOnFailure: resetOnFailure, onMigration: onMigration)
        }
    }

    /// A database file in the application support folder; `nil` for the program's name with the extension `.sqlite`.
    public static func database(
        fileName: String?, configuration: String? = nil, autoMigrating: Bool = true, discarding: DiscardableData = [],
        resetOnFailure: Bool = false, synchronous: DatabaseStoreOptions.Synchronous = .full,
        tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5), readOnly: Bool = false,
        immutable: Bool = false, onMigration: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) -> StoreDescription {
        StoreDescription { stack in
            try stack.openDatabase(
                at: Stack.fileURL(named: fileName),
                options: DatabaseStoreOptions(
                    configuration: configuration, autoMigrating: autoMigrating, synchronous: synchronous,
                    tracksHistory: tracksHistory, busyTimeout: busyTimeout, readOnly: readOnly, immutable: immutable),
                discarding: discarding, resetOnFailure: resetOnFailure, onMigration: onMigration)
        }
    }
}
