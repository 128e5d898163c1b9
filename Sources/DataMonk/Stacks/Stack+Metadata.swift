public import DataMonkCore
import DataMonkSQLite
public import Foundation

extension Stack {
    /// Returns the metadata of a database file, open or not: the store's own keys, which begin with `NS`, and those that
    /// applications have set.
    ///
    ///     let version = try Stack.metadata(ofStoreAt: url)["NSStoreModelVersionIdentifiers"]
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` if there is no such file, or if it is not a database, another program's
    ///   database, or damaged.
    /// - Complexity: Two `SELECT` statements.
    public static func metadata(ofStoreAt url: URL) throws -> [String: ManagedValue] {
        try SQLiteStore.metadata(ofStoreAt: url)
    }

    /// Replaces the application's metadata of a database file. The metadata is on disk when the method returns. For a store
    /// that is open in a stack, use `coordinator.setMetadata`, which writes it with the next save.
    ///
    /// - Parameter metadata: Strings, numbers, Boolean values, dates, data, and arrays and dictionaries of them. The store's
    ///   own keys may be left out; they keep their values.
    /// - Throws: ``/DataMonkCore/StoreError`` if a value has another type, if one of the store's own keys gets a different
    ///   value, or if the file does not exist, is not a database, belongs to another program, or is damaged, locked or
    ///   read-only; with the code `wouldDeadlock` inside a commit, which may be one to this file.
    public static func setMetadata(_ metadata: [String: ManagedValue], ofStoreAt url: URL) throws {
        try PersistentStoreCoordinator.requireOutsideAnyCommit()
        try SQLiteStore.setMetadata(metadata, ofStoreAt: url)
    }
}
