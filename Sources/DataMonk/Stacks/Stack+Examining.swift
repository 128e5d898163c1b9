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
    ///   What the disk does not read is a finding, like damage.
    /// - Complexity: Reads the whole file.
    public static func examine(storeAt url: URL, model: ManagedObjectModel? = nil) throws -> StoreExamination {
        try StoreExaminer.examine(url, model: model).examination
    }

    /// Makes a sound copy of a database file by corrections that lose nothing the file still has, and returns what it
    /// changed. The file itself is only read.
    ///
    /// ```swift
    /// let repair = try Stack.repair(storeAt: url, to: repairedURL)
    /// for action in repair.actions { print(action.finding, action.message) }
    /// ```
    /// The copy appears when it is complete, was examined and is sound. References to objects that do not exist are cleared;
    /// positions, highest keys, digests, indexes and derived values are computed again.
    ///
    /// - Parameters:
    ///   - url: A database file written by this library or by Core Data.
    ///   - target: The place of the copy. A file that is there is not replaced.
    ///   - model: The model of the store's version; `nil` for the one inside the store.
    /// - Throws: ``StoreError`` with the code `corrupt` if something cannot be corrected without loss, `fileExists` if there
    ///   is a file at the target or another copy is being made there, and those of ``examine(storeAt:model:)``. Nothing is left at the target then.
    public static func repair(
        storeAt url: URL, to target: URL, model: ManagedObjectModel? = nil
    ) throws -> StoreRepair {
        try StoreRepairer.repair(url, to: target, model: model)
    }

    /// Makes a new store of everything that can be read in a damaged one, and returns what was lost. The damaged file is only
    /// read.
    ///
    /// ```swift
    /// let salvage = try Stack.salvage(storeAt: url, to: newURL)
    /// print(salvage.counts["Person"]?.lostObjects ?? 0)
    /// ```
    /// The new store has the objects' keys and the identifier of the old one, so ids and URIs stay valid. It has no history.
    ///
    /// - Parameters:
    ///   - url: A database file written by this library or by Core Data.
    ///   - target: The place of the new store. A file that is there is not replaced.
    ///   - model: The model of the store's version; `nil` for the one inside the store.
    /// - Throws: ``StoreError`` with the code `missingModel` if the model in the store cannot be read and none is given,
    ///   `fileExists` if there is a file at the target or another copy is being made there, and those of ``examine(storeAt:model:)``; ``ModelError`` if no store
    ///   can be made of the model. Nothing is left at the target then.
    public static func salvage(
        storeAt url: URL, to target: URL, model: ManagedObjectModel? = nil
    ) throws -> StoreSalvage {
        try StoreSalvager.salvage(url, to: target, model: model)
    }
}
