public import Foundation

/// **Value.** A change of the files in a folder, as a ``FaultyDisk`` recorded it. Paths are relative to the disk's folder, and
/// files have numbers, because they keep their contents when they are renamed.
public enum DiskChange: Hashable, Sendable {
    case create(String, file: Int)
    case write(file: Int, offset: Int, bytes: [UInt8])
    case truncate(file: Int, size: Int)
    /// The file's contents have become durable.
    case sync(file: Int)
    case makeFolder(String)
    case rename(String, to: String)
    case remove(String)
    /// The folder's entries have become durable; the path is empty for the disk's own folder.
    case syncFolder(String)
    /// A remark of the test; see ``FaultyDisk/mark(_:)``.
    case mark(String)
}

/// **Value.** What was written to a ``FaultyDisk``, in order, and what was there before.
///
///     let recording = disk.recording
///     for cut in 0...recording.changes.count {
///         let image = recording.imageOfPowerLoss(after: cut, contents: .torn, entries: .prefix, using: &random)
///         try image.write(to: folder)
///         …
///     }
/// The index of a database's log (`-shm`) is shared memory, not part of any image.
public struct DiskRecording: Sendable {
    /// An entry of a folder.
    enum Entry: Hashable, Sendable {
        case file(Int)
        case folder
    }

    /// The entries at the beginning, by path.
    var begin: [String: Entry] = [:]
    /// The contents of each file at the beginning, by its number.
    var contents: [[UInt8]] = []
    /// The changes, in order.
    public internal(set) var changes: [DiskChange] = []

    static func isIndex(_ path: String) -> Bool { path.hasSuffix("-shm") }

    /// The marks among the first changes, in order.
    public func marks(before cut: Int) -> [String] {
        changes.prefix(cut).compactMap { change in
            if case .mark(let text) = change { return text }
            return nil
        }
    }

    /// Returns the files that a loss of power would leave.
    ///
    /// - Parameters:
    ///   - cut: The number of changes after which the power fails.
    ///   - contents: The writes that reached the disk, of those that were not synced.
    ///   - entries: The entries of folders that did.
    ///   - random: Decides which.
    public func imageOfPowerLoss(
        after cut: Int, contents: DiskImage.Contents, entries: DiskImage.Entries,
        using random: inout some RandomNumberGenerator
    ) -> DiskImage {
        var replay = DiskReplay(self)
        for change in changes.prefix(cut) { replay.take(change) }
        return replay.image(contents, entries, &random)
    }
}

/// **Value.** The files that a loss of power leaves.
public struct DiskImage: Sendable {
    /// **Value.** The writes and truncations that reached the disk although nobody had synced them.
    public enum Contents: Hashable, Sendable, CaseIterable {
        /// None.
        case dropped
        /// Some of them, whatever their order was.
        case reordered
        /// Some sectors of 512 bytes of some of them.
        case torn
        /// All.
        case complete
    }

    /// **Value.** The changes of folders that reached the disk although nobody had synced the folder.
    public enum Entries: Hashable, Sendable, CaseIterable {
        /// None.
        case strict
        /// The first of them.
        case prefix
        /// All.
        case all
    }

    /// The contents of each file, by its path.
    public internal(set) var files: [String: Data] = [:]
    /// The paths of the folders.
    public internal(set) var folders: Set<String> = []

    /// Writes the files into a folder, which is created if it does not exist.
    ///
    /// - Throws: An error of the file system.
    public func write(to folder: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        // Folders come before those in them.
        for path in folders.sorted() {
            try manager.createDirectory(
                at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
        }
        for (path, contents) in files { try contents.write(to: folder.appendingPathComponent(path)) }
    }
}
