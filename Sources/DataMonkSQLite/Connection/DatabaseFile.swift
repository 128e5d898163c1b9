import DataMonkCore
import Foundation

/// **Value.** The place of a database file, and its making.
///
/// SQLite creates files by the process's umask, usually readable by everyone. So the file is made here, for its owner
/// alone; its `-wal` and `-shm` then take its mode from SQLite.
struct DatabaseFile {
    let path: String

    /// Throws for an address that is no file of this machine.
    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw SQLiteFailure.system(EINVAL, doing: "“\(url.absoluteString)” is no file", operation: .open)
        }
        // A path with a NUL byte would end there for C and name another file.
        guard !url.path.utf8.contains(0) else {
            throw SQLiteFailure.system(EINVAL, doing: "The path holds a NUL character", operation: .open)
        }
        path = url.path
    }

    /// Creates what is missing: the directories (0700), then an empty file (0600).
    func createIfMissing() throws {
        try Self.createDirectory(parentDirectory(of: path))
        try Self.creation.withLock { descriptor in
            descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                close(descriptor)
            } else if errno != EEXIST {
                throw SQLiteFailure.system(errno, doing: "“\(path)” could not be created", operation: .open)
            }
        }
    }

    /// Makes the creation of a file in its directory survive a loss of power.
    func synchronizeDirectory() throws {
        let code = Self.synchronize(parentDirectory(of: path))
        guard code == 0 else {
            throw SQLiteFailure.system(code, doing: "The directory of “\(path)” could not be synced", operation: .copy)
        }
    }

    /// Closing any descriptor of a file drops all locks that this process holds on it (POSIX), those of another
    /// connection too. Only a new file is opened here; the lock keeps a second connection from opening it with SQLite
    /// between our `open` and `close`, as that one comes through here first.
    ///
    /// The state is the descriptor, of use to nobody else. (An empty state would do, but ThreadSanitizer takes an access
    /// to no bytes for one to the object's header, and reports it. Seen on Swift 6.3.1.)
    private static let creation = Locked<Int32>(-1)

    private static func createDirectory(_ path: String) throws {
        guard !path.isEmpty, access(path, F_OK) != 0 else { return }
        try createDirectory(parentDirectory(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SQLiteFailure.system(errno, doing: "The directory “\(path)” could not be created", operation: .open)
        }
        // SQLite syncs the database's own directory, but knows of none above it. One that may be passed through and not
        // read cannot be synced; that is no reason to refuse a store.
        _ = synchronize(parentDirectory(of: path))
    }

    /// Answers `errno`, or 0.
    private static func synchronize(_ directory: String) -> Int32 {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}

/// `path` without its last part; empty where nothing is left.
private func parentDirectory(of path: String) -> String {
    guard let slash = path.dropLast().lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The system's sentence for an `errno`.
func describeSystemError(_ code: Int32) -> String {
    String(cString: strerror(code))
}
