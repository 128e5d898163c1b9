import CSQLite
package import DataMonkCore
package import Foundation

extension StoreError {
    /// Creates an error that describes `failure` in the user's terms, with a remedy. The failure is its underlying error.
    package init(_ failure: SQLiteFailure, storeURL: URL) {
        if failure.isMoved {
            self = Self.movedFile(storeURL, suffix: "", isReplaced: access(storeURL.path, F_OK) == 0)
            underlyingError = failure
            return
        }
        var failure = failure
        if failure.primaryCode == SQLITE_CANTOPEN, failure.systemError == ENOENT {
            // If SQLite cannot create a log, it reports it as missing, because its second attempt is to open it for reading.
            var status = stat()
            if stat(storeURL.path, &status) == 0 {
                self = Self.missingLog(failure, in: storeURL)
                return
            }
            failure.systemError = errno
        }
        if failure.isBusy {
            self = Self.locked(failure, storeURL)
            return
        }
        let (code, message) = Self.explain(failure, file: storeURL.lastPathComponent)
        self.init(code, message, storeURL: storeURL, underlyingError: failure)
    }

    /// Runs `body` and converts SQLite failures into errors of the store at `storeURL`.
    package static func translatingFailures<Result>(of storeURL: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as SQLiteFailure {
            throw StoreError(failure, storeURL: storeURL)
        }
    }

    /// Throws if a database file cannot be opened for writing, or cannot be made, because of permissions alone.
    static func requireWritePermission(for url: URL) throws {
        // SQLite's files lie beside the file that a link leads to.
        let file = url.resolvingSymlinksInPath()
        let isThere = access(file.path, F_OK) == 0
        var folder = file.deletingLastPathComponent()
        while !isThere, access(folder.path, F_OK) != 0, folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
        }
        let needsFolder = access(file.path + "-wal", F_OK) != 0
        for place in (isThere ? [file] : []) + (needsFolder ? [folder] : []) {
            let reason = access(place.path, W_OK) == 0 ? 0 : errno
            guard [EACCES, EPERM, EROFS].contains(reason) else { continue }
            let code = isThere ? SQLITE_READONLY : SQLITE_CANTOPEN
            throw StoreError(SQLiteFailure(extendedCode: code, operation: .open, systemError: reason), storeURL: url)
        }
    }

    private static func explain(_ failure: SQLiteFailure, file: String) -> (Code, String) {
        switch failure.primaryCode {
        case SQLITE_NOTADB: (.notADatabase, "“\(file)” is not a database. Choose another file, or move this one away.")
        case SQLITE_CORRUPT, SQLITE_FORMAT:
            (
                .corrupt,
                "“\(file)” is damaged. Restore a backup, or recover its contents with “sqlite3 \(file) .recover”."
            )
        case SQLITE_FULL: fullDisk(file: file)
        case SQLITE_READONLY:
            (
                .readOnly,
                "“\(file)” or its directory is read-only. Make both writable, or add the store with readOnly: true."
            )
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: explainCannotOpen(failure, file: file)
        case SQLITE_IOERR: explainInputOutput(failure, file: file)
        case SQLITE_CONSTRAINT: (.constraintViolation, explainConstraint(failure))
        case SQLITE_INTERRUPT: (.cancelled, "Reading “\(file)” was cancelled.")
        case SQLITE_TOOBIG:
            (
                .operationFailed,
                "A value or statement is larger than SQLite supports (1,000,000,000 bytes). Store the value in a file."
            )
        case SQLITE_NOMEM:
            (
                .operationFailed,
                """
                SQLite had too little memory to \(failure.operation.phrase) “\(file)”. Close what is not needed, or let the \
                program have more memory, and try again.
                """
            )
        default:
            (
                .sqlite,
                """
                SQLite could not \(failure.operation.phrase) “\(file)”: \(failure.message). Try again, or examine \
                the store.
                """
            )
        }
    }

    /// Names those who have the file locked now: most often who had it until the deadline.
    private static func locked(_ failure: SQLiteFailure, _ url: URL) -> StoreError {
        // SQLite's files lie beside the file that a link leads to.
        let holders = LockHolder.holders(ofDatabaseAt: url.resolvingSymlinksInPath().path).map(\.description)
        let names = holders.isEmpty ? "another connection or process" : holders.joined(separator: " and ")
        return StoreError(
            .locked,
            """
            “\(url.lastPathComponent)” was locked by \(names) until the deadline. Close the other one, or add the store \
            with a longer busyTimeout.
            """, storeURL: url, underlyingError: failure)
    }

    private static func fullDisk(file: String) -> (Code, String) {
        (.outOfSpace, "The disk with “\(file)” is full. Free some space and save again. No changes were lost.")
    }

    /// SQLite's error is the same whether the log is in a place that cannot be written to, or the disk fails.
    private static func missingLog(_ failure: SQLiteFailure, in url: URL) -> StoreError {
        // SQLite's files lie beside the file that a link leads to.
        let path = url.resolvingSymlinksInPath()
        if access(path.deletingLastPathComponent().path, W_OK) != 0 || access(path.path, W_OK) != 0 {
            return unwritable(errno, failure, in: url, hasLog: access(path.path + "-wal", F_OK) == 0)
        }
        return StoreError(
            .openFailed,
            """
            The write-ahead log of “\(url.lastPathComponent)” (-wal) or its index (-shm) could not be opened or \
            created. Check the disk, and make the directory writable. If nobody changes the file, you can add the \
            store with immutable: true instead.
            """, storeURL: url, underlyingError: failure)
    }

    private static func unwritable(
        _ code: Int32, _ failure: SQLiteFailure, in url: URL, hasLog: Bool
    ) -> StoreError {
        let file = url.lastPathComponent
        let message =
            switch (code == EROFS, hasLog) {
            case (true, false):
                """
                “\(file)” is on a read-only volume, so it cannot be opened for writing. Add the store with \
                readOnly: true, which reads it as immutable: true does, or copy it to another volume.
                """
            case (true, true):
                """
                “\(file)” is on a read-only volume, with a write-ahead log (-wal) that cannot be read there: its index \
                (-shm) would have to be created. Copy the file and its log to another volume, and open the copy.
                """
            default:
                """
                “\(file)” or its directory is read-only, so its write-ahead log (-wal) or the index of the log (-shm) \
                cannot be created. Make both writable, or add the store with readOnly: true. If that fails for the \
                same reason and nobody changes the file, add it with immutable: true.
                """
            }
        return StoreError(.readOnly, message, storeURL: url, underlyingError: failure)
    }

    private static func explainCannotOpen(_ failure: SQLiteFailure, file: String) -> (Code, String) {
        switch failure.systemError {
        case ENOENT: (.fileNotFound, "“\(file)” does not exist. Check the path, or let the store create the file.")
        case EACCES, EPERM:
            (
                .noWritePermission,
                """
                You do not have permission to open “\(file)” or its directory. Grant access to both, or choose \
                another location.
                """
            )
        case EROFS:
            (.readOnly, "“\(file)” is on a read-only volume. Choose another location, or add it with readOnly: true.")
        case ENOTDIR:
            (.openFailed, "A component of the path to “\(file)” is a file, not a directory. Check the path.")
        case EISDIR: (.openFailed, "“\(file)” is a directory. Add a file name to the path.")
        case ENOSPC, EDQUOT:
            (.outOfSpace, "There is no space to create “\(file)”. Free some space, or choose another location.")
        case EEXIST:
            (
                .fileExists,
                "“\(file)” cannot be created, because a file with that name exists. Move it, or choose another name."
            )
        case EMFILE, ENFILE:
            (
                .openFailed,
                "“\(file)” could not be opened, because too many files are open. Raise the limit (ulimit -n)."
            )
        case EIO, ENXIO:
            (.openFailed, "“\(file)” could not be opened: \(failure.message). Check the disk, then try again.")
        default:
            (.openFailed, "“\(file)” could not be opened: \(failure.message). Check the path and the permissions.")
        }
    }

    private static func explainInputOutput(_ failure: SQLiteFailure, file: String) -> (Code, String) {
        if failure.systemError == ENOSPC || failure.systemError == EDQUOT {
            return fullDisk(file: file)
        }
        // SQLITE_IOERR_READ, _SHORT_READ, _FSTAT, _ACCESS, _CORRUPTFS: a read failed. All other codes are failed writes or
        // syncs.
        let isReading = [1, 2, 7, 13, 33].contains(failure.extendedCode >> 8)
        return (
            isReading ? .readFailed : .writeFailed,
            "An I/O error occurred on “\(file)”: \(failure.message). Check the disk, then open the store again."
        )
    }

    private static func explainConstraint(_ failure: SQLiteFailure) -> String {
        guard let violation = failure.constraintViolation else { return failure.message }
        let columns = violation.columns.joined(separator: ", ")
        let place = violation.index.map { "index \($0)" } ?? "\(violation.table ?? "a table") (\(columns))"
        switch violation.kind {
        case .unique, .primaryKey:
            return """
                The store already contains a value that must be unique in \(place). Change it, or update the stored \
                object.
                """
        case .notNull:
            return "A required value of \(place) is missing. Set it before saving."
        default:
            return "A constraint of the store rejected a value of \(place). Change the value."
        }
    }
}

extension SQLiteFailure.Operation {
    fileprivate var phrase: String {
        switch self {
        case .open: "open"
        case .configure: "configure"
        case .prepare: "compile a statement for"
        case .bind: "bind a value for"
        case .run: "run a statement on"
        case .transaction: "begin or end a transaction on"
        case .checkpoint: "checkpoint"
        case .copy: "copy"
        case .register: "register a function for"
        case .close: "close"
        }
    }
}
