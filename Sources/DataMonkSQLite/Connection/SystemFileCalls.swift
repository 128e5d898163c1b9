import CSQLite
package import DataMonkCore
package import Foundation

/// **Value.** The system's own calls.
package struct SystemFileCalls: FileCalls {
    /// The calls of stores that are opened from now on. Like SQLite's default VFS, one for the process: tests replace it.
    package static let inUse = Locked<any FileCalls>(SystemFileCalls())

    package init() {}

    package func open(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t) -> Int32 {
        openat(folder, name, flags, mode)
    }

    package func close(_ file: Int32) { _ = Foundation.close(file) }

    package func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        Foundation.read(file, bytes.baseAddress, bytes.count)
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        Foundation.write(file, bytes.baseAddress, bytes.count)
    }

    package func synchronize(_ file: Int32) -> Int32 { fsync(file) }
    package func lock(_ file: Int32, _ operation: Int32) -> Int32 { flock(file, operation) }
    package func examine(_ file: Int32, _ status: inout stat) -> Int32 { fstat(file, &status) }

    package func examine(_ name: String, in folder: Int32, _ status: inout stat) -> Int32 {
        fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
    }

    package func makeFolder(_ name: String, in folder: Int32, mode: mode_t) -> Int32 { mkdirat(folder, name, mode) }

    package func removeFolder(_ name: String, in folder: Int32) -> Int32 { unlinkat(folder, name, AT_REMOVEDIR) }

    package func rename(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        renameat(folder, name, folder, newName)
    }

    package func link(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        linkat(folder, name, folder, newName, 0)
    }

    package func renameExclusively(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        datamonk_rename_exclusively(folder, name, newName)
    }

    package func remove(_ name: String, in folder: Int32) -> Int32 { unlinkat(folder, name, 0) }

    package func watch(_ path: String, by reports: Int32) -> Int32 {
        #if os(Linux)
            // IN_MODIFY and IN_ONESHOT.
            inotify_add_watch(reports, path, 0x8000_0002)
        #else
            Foundation.open(path, O_EVTONLY | O_CLOEXEC)
        #endif
    }
}
