import DataMonkCore
import DataMonkSQLite

/// **Shared.** The disks of the process.
enum DiskRegistry {
    private struct Entry: Sendable {
        weak var disk: FaultyDisk?
    }

    private static let entries = Locked<[Entry]>([])
    /// Calls pass through from here on.
    private static let isInstalled: Bool = {
        FaultyVFS.install()
        SystemFileCalls.inUse.withLock { $0 = FaultyFileCalls($0) }
        return true
    }()

    static func add(_ disk: FaultyDisk) {
        precondition(isInstalled)
        entries.withLock { entries in
            entries.removeAll { $0.disk == nil }
            entries.append(Entry(disk: disk))
        }
    }

    /// The disk that a path lies on, and the path within its folder. Of several disks the innermost one, and of those of one
    /// folder the last.
    static func place(of path: String) -> DiskPlace? {
        var place: DiskPlace?
        for disk in entries.withLock({ $0.compactMap(\.disk) }) {
            guard let relative = disk.relativePath(path) else { continue }
            if let place, place.path.utf8.count < relative.utf8.count { continue }
            place = DiskPlace(disk: disk, path: relative)
        }
        return place
    }
}

/// **Shared.** A file or folder on a disk.
struct DiskPlace: Sendable {
    let disk: FaultyDisk
    /// The path within the disk's folder.
    let path: String

    func begin(_ operation: FileOperation, bytes: Range<Int>? = nil) -> FileFault? {
        disk.begin(operation, of: path, bytes: bytes)
    }
}
