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

    /// Reported rather than thrown, because the store is open and repaired.
    static func replacedTriggers(_ names: [String], _ url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) had triggers with the names, but not the text, of those that keep derived attributes: \
            \(names.sorted().joined(separator: ", ")). They were replaced without being run, and the attributes were computed \
            anew. Nothing is left to do.
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
    /// Reported rather than thrown, because the commits are safe.
    static func failedCheckpoint(_ error: any Error, _ pages: Int, _ url: URL) -> StoreError {
        let failure = (error as? SQLiteFailure).map { StoreError($0, storeURL: url) }
        return StoreError(
            failure?.code ?? .writeFailed,
            """
            The log of \(url.lastPathComponent), \(pages) pages by now, could not be moved into the file. No commit is lost, \
            and it is tried again; until it succeeds the log grows. Check the disk.
            """, storeURL: url, underlyingError: failure ?? error)
    }

    /// Told to the error handler: the store is open for reading alone.
    static func unreliableDerivations(_ names: [String], _ url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            The triggers of \(names.joined(separator: ", ")) in \(url.lastPathComponent) are missing or changed, so the values \
            may be out of date. Open the store once for writing: they are computed anew then.
            """, storeURL: url)
    }

    /// Told to the error handler: the store is open.
    static func unkeptDerivation(_ entityName: String, _ attributeName: String, _ url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(entityName).\(attributeName) is derived in a way that is not known, and \(url.lastPathComponent) has no trigger \
            for it: its values stay as they are, whatever they are derived from. Write to the store with Core Data.
            """, entityName: entityName, storeURL: url)
    }

    static func unexpectedEntity(_ number: Int, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            "A row of \(url.lastPathComponent) is of entity number \(number), which its table cannot hold. Restore a copy.",
            storeURL: url)
    }

    /// The error for a to-one relationship whose destination may be of several entities, but whose entity number is missing.
    static func damagedReference(_ number: Int, _ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A row of \(url.lastPathComponent) leads to an object of entity number \(number), which the model does not have. \
            Restore a copy, or set the row's relationship to NULL with sqlite3.
            """, storeURL: url)
    }

    static func valueIsNoNumber(_ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A row of \(url.lastPathComponent) has text or data where a number belongs. Restore a copy, or set the value with \
            sqlite3.
            """, storeURL: url)
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

    /// A Boolean value indicating whether the file is sound, but of another version of the model: the case that
    /// `resetOnFailure` handles.
    package var isMismatchOfVersions: Bool { code == .incompatibleVersionHash }
}
