import Foundation

/// **Value.** A process that holds a lock on a store's files.
package struct LockHolder: Hashable, Sendable {
    /// The process's number; 0 if it cannot be seen from here, as from inside a container.
    package let process: Int32
    /// The name of its program, or `nil` if it is unknown.
    package let program: String?

    package init(process: Int32, program: String?) {
        self.process = process
        self.program = program
    }

    /// The holder for people: "sqlite3 (process 4711)".
    package var description: String {
        if process == getpid() { return "another connection of this process" }
        if process <= 0 { return "a process outside of this container" }
        return program.map { "\($0) (process \(process))" } ?? "process \(process)"
    }

    /// Returns the processes that are in the way of a database's connections now, as far as the system tells: on Linux. Others
    /// may have been by the time that a lock was given up on.
    ///
    /// Locks for writing come first: the one on the log's index that the writer holds, then those on the database, which a
    /// migration and an exclusive connection hold. If there are none, somebody wanted the file alone, and its readers are named.
    ///
    /// - Parameter path: The path of the database.
    static func holders(ofDatabaseAt path: String) -> [LockHolder] {
        let writers = FileLock.all(onFileAt: path + "-shm").filter { $0.isForWriting && $0.covers(FileLock.writerByte) }
        if !writers.isEmpty { return holders(of: writers) }
        let locks = FileLock.all(onFileAt: path)
        let owners = locks.filter(\.isForWriting)
        return holders(of: owners.isEmpty ? locks.filter { $0.process != getpid() } : owners)
    }

    /// Returns the processes that have a file locked, this one included.
    static func holders(ofFileAt path: String) -> [LockHolder] { holders(of: FileLock.all(onFileAt: path)) }

    /// Returns the processes that have a folder locked, this one excepted.
    static func holders(ofFolderAt path: String) -> [LockHolder] {
        holders(of: FileLock.all(onFileAt: path).filter { $0.process != getpid() })
    }

    private static func holders(of locks: [FileLock]) -> [LockHolder] {
        Set(locks.map(\.process)).sorted().map { LockHolder(process: $0, program: program(of: $0)) }
    }

    /// Returns the name of a process's program.
    private static func program(of process: Int32) -> String? {
        FileManager.default.contents(atPath: "/proc/\(process)/comm").flatMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return name.isEmpty ? nil : name
        }
    }
}
