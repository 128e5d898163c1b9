/// **Value.** A kind of call for a file or a folder.
public enum FileOperation: String, Hashable, Codable, Sendable, CaseIterable {
    /// Opening what exists.
    case open
    /// Opening a file that does not exist and is created.
    case create
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Setting a file's length.
    case truncate
    /// Making a file's contents, or a folder's entries, survive a loss of power.
    case sync
    /// Asking for a file's size or kind.
    case examine
    /// Giving a file another name.
    case rename
    /// Removing a file or an empty folder.
    case remove
    /// Creating a folder.
    case makeFolder
    /// Taking a lock. Releasing one never fails.
    case lock
    /// Asking the system to report writes to a file.
    case watch
    /// Mapping a part of the index of a database's log (`-shm`), which connections share.
    case sharedMemory
}

/// **Value.** A call that a ``FaultyDisk`` has counted.
public struct FileCall: Hashable, Codable, Sendable {
    /// The kind of the call.
    public let operation: FileOperation
    /// The file's path within the disk's folder; empty for the folder itself.
    public let path: String
}

extension FileCall: CustomStringConvertible {
    /// The operation and the path: `write shop.sqlite-wal`.
    public var description: String { "\(operation.rawValue) \(path.isEmpty ? "." : path)" }
}
