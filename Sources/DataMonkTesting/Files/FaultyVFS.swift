import CSQLite
import DataMonkCore
import Foundation

/// **Shared.** SQLite's way to the files of faulty disks: a VFS over the default one.
///
/// SQLite provides the memory of an open file. Of a file on a faulty disk its beginning is ours, and the rest belongs to the
/// VFS below. Files elsewhere are opened by that VFS alone, and never come back here.
enum FaultyVFS {
    typealias File = UnsafeMutablePointer<sqlite3_file>

    /// The beginning of an open file's memory.
    struct Head {
        var base = sqlite3_file(pMethods: nil)
        /// Retained until the file is closed.
        var file: Unmanaged<FaultyFile>?
    }

    /// The VFS below.
    // nonisolated(unsafe): found before ours is registered, never written again, and lives as long as the process.
    private nonisolated(unsafe) static let system: UnsafeMutablePointer<sqlite3_vfs> = {
        guard let system = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no VFS on this system") }
        return system
    }()

    /// Makes this VFS the default for connections opened from now on. Called once.
    static func install() {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.szOsFile += Int32(MemoryLayout<Head>.stride)
        vfs.pointee.zName = UnsafePointer(strdup("datamonk-faulty"))
        vfs.pointee.xOpen = { _, path, file, flags, result in FaultyVFS.open(path, file, flags, result) }
        vfs.pointee.xDelete = { _, path, syncsFolder in FaultyVFS.delete(path, syncsFolder: syncsFolder) }
        vfs.pointee.xAccess = { _, path, flags, result in
            FaultyVFS.system.pointee.xAccess(FaultyVFS.system, path, flags, result)
        }
        vfs.pointee.xFullPathname = { _, path, count, result in
            FaultyVFS.system.pointee.xFullPathname(FaultyVFS.system, path, count, result)
        }
        let code = sqlite3_vfs_register(vfs, 1)
        precondition(code == SQLITE_OK, "SQLite refuses the VFS: \(code)")
    }

    // MARK: Calls of the VFS

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: File?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        guard let path, let place = DiskRegistry.place(of: String(cString: path)) else {
            return system.pointee.xOpen(system, path, file, flags, result)
        }
        file.pointee.pMethods = nil
        let creates = flags & SQLITE_OPEN_CREATE != 0 && access(path, F_OK) != 0
        if let fault = place.begin(creates ? .create : .open) {
            errno = fault.systemError
            return SQLITE_CANTOPEN
        }
        let code = system.pointee.xOpen(system, path, below(file), flags, result)
        guard code == SQLITE_OK else { return code }
        place.disk.record { $0.open(place.path, isNew: creates) }
        // As the system's VFS does: the first sync of a new journal makes its entry durable.
        let journals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL
        let opened = FaultyFile(place, syncsFolder: flags & SQLITE_OPEN_CREATE != 0 && flags & journals != 0)
        UnsafeMutableRawPointer(file).bindMemory(to: Head.self, capacity: 1).initialize(
            to: Head(base: sqlite3_file(pMethods: FaultyMethods.table), file: .passRetained(opened)))
        return SQLITE_OK
    }

    private static func delete(_ path: UnsafePointer<CChar>?, syncsFolder: Int32) -> Int32 {
        guard let path, let place = DiskRegistry.place(of: String(cString: path)) else {
            return system.pointee.xDelete(system, path, syncsFolder)
        }
        if let fault = place.begin(.remove) {
            errno = fault.systemError
            return SQLITE_IOERR | (10 << 8)  // SQLITE_IOERR_DELETE
        }
        let code = system.pointee.xDelete(system, path, place.disk.syncsRealDisk ? syncsFolder : 0)
        guard code == SQLITE_OK else { return code }
        place.disk.record { recorder in
            recorder.add(.remove(place.path))
            if syncsFolder != 0 { recorder.add(.syncFolder(place.folder)) }
        }
        return SQLITE_OK
    }

    // MARK: Open files

    /// The memory of the VFS below.
    static func below(_ file: File) -> File {
        UnsafeMutableRawPointer(file).advanced(by: MemoryLayout<Head>.stride).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Returns the file behind SQLite's memory.
    static func opened(_ file: File) -> FaultyFile {
        let head = UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self)
        guard let opened = head.pointee.file else { preconditionFailure("SQLite uses a file that is not open") }
        return opened.takeUnretainedValue()
    }

    static func close(_ file: File) {
        let head = UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self)
        head.pointee.file?.release()
        head.pointee.file = nil
    }
}

extension DiskPlace {
    /// The path of the folder that it lies in.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
}
