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
    /// Asks for a report of the next write to the file at a path. Returns the number of the watch.
    ///
    /// - Parameter reports: An instance of inotify. Not used on Darwin, where a watch is an open file.
    func watch(_ path: String, by reports: Int32) -> Int32
}
