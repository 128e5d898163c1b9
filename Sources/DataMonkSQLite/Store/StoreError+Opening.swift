import DataMonkCore
import DataMonkSQL
import Foundation

extension StoreError {
    static func storeIsClosed(_ url: URL) -> StoreError {
        StoreError(
            .operationFailed, "The store \(url.lastPathComponent) is closed. Make a new Stack for it.", storeURL: url)
    }

    static func noCoreDataStore(_ url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) is a database, but not one in Core Data's format. Name another file: this one is left \
            as it is.
            """, storeURL: url)
    }

    static func unexpectedSchema(_ kind: String, _ name: String, _ url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) has the \(kind) \(name), which no store has and which would run code of whoever made \
            the file. Drop it with sqlite3 if you trust it.
            """, storeURL: url)
    }

    static func unreadableMetadata(_ error: any Error, _ url: URL) -> StoreError {
        StoreError(
            .corrupt, "The metadata of \(url.lastPathComponent) cannot be read. Restore the file from a copy.",
            storeURL: url, underlyingError: error)
    }

    static func mismatch(_ mismatch: StoreMetadata.Mismatch, _ url: URL) -> StoreError {
        let difference: String
        switch mismatch {
        case .unknownHashes(let version):
            difference = "its hashes are of a later kind (\(version)) than this library knows"
        case .entities(let added, let removed, let changed):
            let parts = [("new", added), ("missing", removed), ("changed", changed)].filter { !$0.1.isEmpty }
            difference = parts.map { "\($0.0) in the model: \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
        }
        return StoreError(
            .incompatibleVersionHash,
            """
            \(url.lastPathComponent) was written with another version of the model: \(difference). Pass \
            autoMigrating: true to migrate it, open it with that version, or pass resetOnFailure: true to put it aside and \
            begin anew.
            """, storeURL: url)
    }

    static func missingColumns(_ names: [String], of table: String, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) says that it is of this version, but its table \(table) lacks \
            \(names.joined(separator: ", ")). Restore the file from a copy.
            """, storeURL: url)
    }

    static func missingEntityNumber(_ number: Int, _ name: String, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) has no entity number \(number) (\(name)) in Z_PRIMARYKEY. Restore the file from a copy.
            """, entityName: name, storeURL: url)
    }
}

extension StoreError {
    static func unexpectedEntity(_ number: Int, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            "A row of \(url.lastPathComponent) is of entity number \(number), which its table cannot hold. Restore a copy.",
            storeURL: url)
    }

    static func unusablePrimaryKey(_ key: Int64, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) has the primary key \(key); keys run from 1 to \(ObjectKey.maximumPrimaryKey). Restore \
            a copy, or copy the objects into a new store.
            """, storeURL: url)
    }

    static func rowTooLarge(_ entity: Entity, _ url: URL) -> StoreError {
        StoreError(
            .readFailed,
            "An object of \(entity.name) has values of 2 GiB together. Keep large data in files, and their names here.",
            entityName: entity.name, storeURL: url)
    }

    static func entityNotInStore(_ entity: Entity, _ url: URL) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "\(url.lastPathComponent) does not hold \(entity.name). Add a store whose configuration does.",
            entityName: entity.name, storeURL: url)
    }

    /// Whether the file is sound, but of another version of the model: what `resetOnFailure` is for.
    package var isMismatchOfVersions: Bool { code == .incompatibleVersionHash }
}
