public import Foundation

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
    /// - Throws: An error of the file system; `CocoaError` with the code `fileWriteFileExists` if the folder is not empty, since
    ///   files of another image would replace what this one has lost.
    public func write(to folder: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        guard try manager.contentsOfDirectory(atPath: folder.path).isEmpty else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: folder.path])
        }
        // Folders come before those in them.
        for path in folders.sorted() {
            try manager.createDirectory(
                at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
        }
        for (path, contents) in files { try contents.write(to: folder.appendingPathComponent(path)) }
    }
}
