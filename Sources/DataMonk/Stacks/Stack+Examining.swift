public import DataMonkCore
import DataMonkSQLite
public import Foundation

extension Stack {
    /// Examines a database file, open or not, and returns everything that is wrong with it. Only reads.
    ///
    /// ```swift
    /// let examination = try Stack.examine(storeAt: url)
    /// for finding in examination.findings { print(finding) }
    /// ```
    /// All rows are read in one snapshot: a store that others write to meanwhile is examined in one state. SQLite's own check
    /// comes first (`PRAGMA integrity_check`), then one `SELECT` for each column, relationship and constraint.
    ///
    /// - Parameters:
    ///   - url: A database file written by this library or by Core Data.
    ///   - model: The model of the store's version; `nil` for the one inside the store.
    /// - Throws: ``StoreError`` if there is no such file (`fileNotFound`), if it is not a database (`notADatabase`) or another
    ///   program's (`incompatibleSchema`), if it is locked, or if nothing of it can be read (`corrupt`).
    /// - Complexity: Reads the whole file.
    public static func examine(storeAt url: URL, model: ManagedObjectModel? = nil) throws -> StoreExamination {
        try StoreExaminer.examine(url, model: model).examination
    }
}
