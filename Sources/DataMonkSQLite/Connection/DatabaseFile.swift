import CSQLite
import DataMonkCore
import Foundation

/// **Value.** The location of a database file, and its creation.
///
/// SQLite creates files with the process's umask, which usually makes them readable by everyone. The file is therefore
/// created here, accessible to its owner only; SQLite gives its mode to the `-wal` and `-shm` files.
struct DatabaseFile {
    let path: String
    private let files = SystemFileCalls.inUse.withLock { $0 }

    /// Creates a database file for a URL. Throws if the URL is not a file on this machine.
    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw SQLiteFailure.system(EINVAL, doing: "“\(url.absoluteString)” is not a file URL", operation: .open)
        }
        // C would end the path at a NUL byte and open another file.
        guard !url.path.utf8.contains(0) else {
            throw SQLiteFailure.system(EINVAL, doing: "The path contains a NUL character", operation: .open)
        }
        path = url.path
    }

    /// Creates what is missing: the directories (0700), then an empty file (0600).
    func createIfMissing() throws {
        try createDirectory(parentDirectory(of: path))
        try Self.creation.withLock { descriptor in
            descriptor = files.open(path, in: AT_FDCWD, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode: 0o600)
            if descriptor >= 0 {
                files.close(descriptor)
            } else if errno != EEXIST {
                throw SQLiteFailure.system(errno, doing: "“\(path)” could not be created", operation: .open)
            }
        }
    }

    /// Throws if the file, or one that SQLite keeps beside it, is something else than a regular file: SQLite would wait for
    /// the other end of a pipe, and take a device for an empty database. A link leads to the file; beside it there are none.
    func requireRegularFiles() throws {
        guard let resolved = realpath(path, nil) else { return }  // SQLite tells what is missing.
        defer { free(resolved) }
        let found = String(cString: resolved)
        for suffix in ["", "-journal", "-wal", "-shm"] {
            var status = stat()
            guard lstat(found + suffix, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
            throw SQLiteFailure(
                extendedCode: SQLITE_CANTOPEN, message: "“\(path)\(suffix)” is not a regular file", operation: .open,
                systemError: suffix.isEmpty && status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
    }

    /// Makes the directory entry of a new file survive a power cut.
    func synchronizeDirectory() throws {
        let code = synchronize(parentDirectory(of: path))
        guard code == 0 else {
            throw SQLiteFailure.system(code, doing: "The directory of “\(path)” could not be synced", operation: .copy)
        }
    }

    /// Serializes the creation of files. With POSIX locks, closing any descriptor of a file drops all locks that this
    /// process holds on it, including those of other connections. Only new files are opened here. The lock keeps a second
    /// connection, which also comes through here first, from opening the file with SQLite between our `open` and `close`.
    ///
    /// The state is the descriptor; nobody else needs it. (An empty state would do, but ThreadSanitizer takes an access to
    /// no bytes for one to the object's header, and reports it. Seen with Swift 6.3.1.)
    private static let creation = Locked<Int32>(-1)

    private func createDirectory(_ path: String) throws {
        guard !path.isEmpty, access(path, F_OK) != 0 else { return }
        try createDirectory(parentDirectory(of: path))
        let isMade = files.makeFolder(path, in: AT_FDCWD, mode: 0o700) == 0
        guard isMade || errno == EEXIST else {
            throw SQLiteFailure.system(errno, doing: "The directory “\(path)” could not be created", operation: .open)
        }
        // SQLite syncs the database's own directory, but none above it. A directory with search but no read permission
        // cannot be synced, nor can those of some volumes; that is no reason to refuse a store.
        let code = synchronize(parentDirectory(of: path))
        guard [EIO, ENOSPC, EDQUOT].contains(code) else { return }
        // Otherwise the next attempt would find the directory, and take its entry for durable.
        if isMade { _ = files.removeFolder(path, in: AT_FDCWD) }
        throw SQLiteFailure.system(
            code, doing: "The directory that contains “\(path)” could not be synced", operation: .open)
    }

    /// Returns `errno`, or 0 on success.
    private func synchronize(_ directory: String) -> Int32 {
        let descriptor = files.open(directory, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        guard descriptor >= 0 else { return errno }
        defer { files.close(descriptor) }
        return files.synchronize(descriptor) == 0 ? 0 : errno
    }
}

/// Returns `path` without its last component, or an empty string if nothing is left.
private func parentDirectory(of path: String) -> String {
    guard let slash = path.dropLast().lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Returns the system's message for an `errno`.
func describeSystemError(_ code: Int32) -> String {
    String(cString: strerror(code))
}
