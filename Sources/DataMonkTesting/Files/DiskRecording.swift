public import Foundation

/// **Value.** A change of the files in a folder, as a ``FaultyDisk`` recorded it. Paths are relative to the disk's folder, and
/// files have numbers, because they keep their contents when they are renamed.
public enum DiskChange: Hashable, Sendable {
    /// An empty file was created.
    case create(String, file: Int)
    /// Bytes were written at an offset.
    case write(file: Int, offset: Int, bytes: Data)
    /// The file was cut, or extended by zeros.
    case truncate(file: Int, size: Int)
    /// The file's contents have become durable.
    case sync(file: Int)
    /// The file's contents should have become durable, but the call failed. Some of the writes before it may have reached the
    /// disk. The system may take all of them for done, so that no later call makes the others durable: they are lost unless
    /// they are written anew.
    case failedSync(file: Int)
    /// A folder was created.
    case makeFolder(String)
    /// A file got another name.
    case rename(String, to: String)
    /// A file got a second name.
    case link(String, to: String)
    /// A file or an empty folder was removed.
    case remove(String)
    /// The folder's entries have become durable; the path is empty for the disk's own folder.
    case syncFolder(String)
    /// A remark of the test; see ``FaultyDisk/mark(_:)``.
    case mark(String)
}

/// **Value.** The changes of a ``FaultyDisk`` in order, and the files that were there before.
///
///     let recording = disk.recording
///     for cut in 0...recording.changes.count {
///         let image = recording.imageOfPowerLoss(after: cut, contents: .torn, entries: .prefix, using: &random)
///         try image.write(to: folder.appending(path: "\(cut)"))
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
    var contents: [Data] = []
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
        for change in changes.prefix(cut) { replay.take(change, contents, &random) }
        return replay.image(contents, entries, &random)
    }
}
