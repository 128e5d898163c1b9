import CSQLite
package import DataMonkCore
package import Foundation

/// The system's calls for files that SQLite does not open by itself: large values, their folders, new databases, and a log
/// that is written anew.
///
/// They fail as POSIX's do: the result is -1, and `errno` has the error. A name is relative to an open folder, or to the
/// working directory for `AT_FDCWD`.
package protocol FileCalls: Sendable {
    func open(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t) -> Int32
    func close(_ file: Int32)
    func read(_ file: Int32, into bytes: UnsafeMutableRawBufferPointer) -> Int
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int
    func synchronize(_ file: Int32) -> Int32
    func lock(_ file: Int32, _ operation: Int32) -> Int32
    func examine(_ file: Int32, _ status: inout stat) -> Int32
    /// Does not follow links.
    func examine(_ name: String, in folder: Int32, _ status: inout stat) -> Int32
    func makeFolder(_ name: String, in folder: Int32, mode: mode_t) -> Int32
    func removeFolder(_ name: String, in folder: Int32) -> Int32
    func rename(_ name: String, to newName: String, in folder: Int32) -> Int32
    /// Gives a file a second name, which must be free.
    func link(_ name: String, to newName: String, in folder: Int32) -> Int32
    /// Gives a file another name, which must be free. Not every volume can do that.
    func renameExclusively(_ name: String, to newName: String, in folder: Int32) -> Int32
    func remove(_ name: String, in folder: Int32) -> Int32
}

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
}
