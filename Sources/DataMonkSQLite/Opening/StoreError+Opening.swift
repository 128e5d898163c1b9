import DataMonkCore
import DataMonkSQL
import Foundation

extension StoreError {
    static func storeIsClosed(_ url: URL) -> StoreError {
        StoreError(
            .operationFailed, "The store \(url.lastPathComponent) is closed. Create a new Stack for it.", storeURL: url)
    }

    static func noCoreDataStore(_ url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) is a database, but not in Core Data's format. It was not changed. Use another \
            file.
            """, storeURL: url)
    }

    static func unexpectedSchema(_ object: SchemaObject, in url: URL) -> StoreError {
        let (kind, name) = (object.kind.rawValue, object.name)
        if object.kind == .table {
            return StoreError(
                .incompatibleSchema,
                """
                The table \(name) of \(url.lastPathComponent) has a computed column, a check, a default or a conflict \
                clause, which no store has and which would run with each write. If you trust it, copy the rows with \
                sqlite3 to a table without it.
                """, storeURL: url)
        }
        return StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) contains the \(kind) \(name), which does not belong to a store and could run \
            code of whoever created the file. If you trust it, drop it with sqlite3.
            """, storeURL: url)
    }

    /// Reported rather than thrown, because the store is open and repaired.
    static func replacedTriggers(_ names: [String], in url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(url.lastPathComponent) had triggers with the names of derived attributes' triggers, but with other SQL: \
            \(names.sorted().joined(separator: ", ")). They were replaced without being run, and the attributes were \
            computed again. No action is needed.
            """, storeURL: url)
    }

    static func unreadableMetadata(_ error: any Error, in url: URL) -> StoreError {
        StoreError(
            .corrupt, "The metadata of \(url.lastPathComponent) cannot be read. Restore the file from a backup.",
            storeURL: url, underlyingError: error)
    }

    static func mismatch(_ mismatch: StoreMetadata.Mismatch, in url: URL) -> StoreError {
        StoreError(
            .incompatibleVersionHash,
            """
            \(url.lastPathComponent) was written with another version of the model: \(mismatch.difference). Pass \
            autoMigrating: true to migrate it, open it with that version of the model, or pass resetOnFailure: true \
            to move it aside and create an empty store.
            """, storeURL: url)
    }

    static func missingColumns(_ names: [String], of table: String, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            The metadata of \(url.lastPathComponent) match the model, but its table \(table) has no \
            \(names.joined(separator: ", ")). Restore the file from a backup.
            """, storeURL: url)
    }

    static func missingEntityNumber(_ number: Int, name: String, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) has no entity number \(number) (\(name)) in Z_PRIMARYKEY. Restore the file from \
            a backup.
            """, entityName: name, storeURL: url)
    }

    static func otherEntityNumber(_ number: Int, name: String, storedName: String, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            In \(url.lastPathComponent), \(storedName) has the entity number \(number), which is that of \(name) in the \
            model. Restore the file from a backup.
            """, entityName: name, storeURL: url)
    }
}

extension StoreError {
    /// Reported rather than thrown, because the commits are safe.
    static func failedCheckpoint(_ error: any Error, pages: Int, in url: URL) -> StoreError {
        let failure = (error as? SQLiteFailure).map { StoreError($0, storeURL: url) }
        return StoreError(
            failure?.code ?? .writeFailed,
            """
            The write-ahead log of \(url.lastPathComponent), now \(pages) pages long, could not be moved into the \
            file. No commits are lost, and the checkpoint is retried, but the log grows until it succeeds. Check the \
            disk.
            """, storeURL: url, underlyingError: failure ?? error)
    }

    /// Reported rather than thrown: the commits are found in another way.
    ///
    /// - Parameter code: The system's error.
    static func unwatched(_ path: String, _ code: Int32, in url: URL) -> StoreError {
        let remedy =
            switch code {
            case ENOSPC: "Raise the limit of watched files (fs.inotify.max_user_watches)"
            case EMFILE, ENFILE:
                "Raise the limit of open files (ulimit -n) or of instances of inotify (fs.inotify.max_user_instances)"
            default: "Check the file's permissions and the disk"
            }
        return StoreError(
            .operationFailed,
            """
            The system does not report writes to \(path): \(describeSystemError(code)). Commits of other processes to \
            \(url.lastPathComponent) are looked for every second instead. \(remedy).
            """, storeURL: url)
    }

    /// Reported rather than thrown, because the commit's caller receives the error that the rollback is for.
    static func failedRollback(_ error: any Error, in url: URL) -> StoreError {
        let failure = (error as? SQLiteFailure).map { StoreError($0, storeURL: url) }
        return StoreError(
            failure?.code ?? .operationFailed,
            """
            A transaction of \(url.lastPathComponent) could not be rolled back. Nothing of it is saved, but no other \
            process can write until the next commit, or until the store is closed. Save again, or close the stack.
            """, storeURL: url, underlyingError: failure ?? error)
    }

    /// Told to the error handler: the store is open for reading alone.
    static func unreliableDerivations(_ names: [String], in url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            The triggers of \(names.joined(separator: ", ")) in \(url.lastPathComponent) are missing or changed, so \
            the values may be out of date. Open the store once for writing to compute them again.
            """, storeURL: url)
    }

    /// Told to the error handler: the store is open.
    static func unsupportedDerivation(entityName: String, attributeName: String, in url: URL) -> StoreError {
        StoreError(
            .incompatibleSchema,
            """
            \(entityName).\(attributeName) has an unsupported derivation, and \(url.lastPathComponent) has no trigger \
            for it, so its values are not updated. Write to the store with Core Data.
            """, entityName: entityName, storeURL: url)
    }

    static func unexpectedEntity(_ number: Int, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A row of \(url.lastPathComponent) has the entity number \(number), which is not valid in its table. \
            Restore the file from a backup.
            """,
            storeURL: url)
    }

    /// The error for a to-one relationship whose destination may be of several entities, but whose entity number is missing.
    static func damagedReference(_ number: Int, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A row of \(url.lastPathComponent) refers to an object with the entity number \(number), which the model \
            does not contain. Restore the file from a backup, or set the row's relationship to NULL with sqlite3.
            """, storeURL: url)
    }

    static func valueIsNoNumber(_ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A row of \(url.lastPathComponent) contains text or data instead of a number. Restore the file from a \
            backup, or set the value with sqlite3.
            """, storeURL: url)
    }

    static func unusablePrimaryKey(_ key: Int64, in url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) contains the primary key \(key), but keys must be between 1 and \
            \(ObjectKey.maximumPrimaryKey). Restore the file from a backup, or copy the objects into a new store.
            """, storeURL: url)
    }

    static func noRoom(in relationship: Entity.Relationship, at url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            The positions of \(relationship.name) in \(url.lastPathComponent) are too large for another one behind them. \
            Read the relationship before you add to it, so that all its positions are written anew.
            """, storeURL: url)
    }

    static func rowTooLarge(_ entity: Entity, in url: URL) -> StoreError {
        StoreError(
            .readFailed,
            """
            The values of an object of \(entity.name) exceed 2 GiB together. Store large data in files, and only the \
            names of the files in the store.
            """,
            entityName: entity.name, storeURL: url)
    }

    static func entityNotInStore(_ entity: Entity, at url: URL) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "\(url.lastPathComponent) does not contain \(entity.name). Add a store whose configuration includes it.",
            entityName: entity.name, storeURL: url)
    }

    /// A Boolean value indicating whether the file is sound, but of another version of the model: the case that
    /// `resetOnFailure` handles.
    package var isMismatchOfVersions: Bool { code == .incompatibleVersionHash }
}
