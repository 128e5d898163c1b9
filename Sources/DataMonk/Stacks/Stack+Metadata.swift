public import DataMonkCore
import DataMonkSQLite
public import Foundation

extension Stack {
    /// The metadata of a database file, open or not: what the store says of itself (keys that begin with `NS`), and what
    /// applications have written down.
    ///
    ///     let version = try Stack.metadata(ofStoreAt: url)["NSStoreModelVersionIdentifiers"]
    ///
    /// - Throws: ``StoreError``: no such file, no database, another program's database, a damaged one.
    /// - Complexity: two SELECTs.
    public static func metadata(ofStoreAt url: URL) throws -> [String: ManagedValue] {
        try SQLiteStore.metadata(ofStoreAt: url)
    }

    /// Replaces what applications have written down about a database file; on disk when it returns. For a store that is
    /// open in a stack `coordinator.setMetadata` does it with the next save.
    ///
    /// - Parameter metadata: texts, numbers, truth values, dates, data, and lists and dictionaries of them. The store's own
    ///   keys may be missing; they stay as they are.
    /// - Throws: ``StoreError``: a value of another kind, another value of one of the store's own keys; no such file, no
    ///   database, another program's database, a damaged one, locked, read-only.
    public static func setMetadata(_ metadata: [String: ManagedValue], ofStoreAt url: URL) throws {
        try SQLiteStore.setMetadata(metadata, ofStoreAt: url)
    }
}
