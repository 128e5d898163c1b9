package import Foundation

/// **Value.** The sizes and times of a database file, its log and its journal, which differ after a change.
package struct FileState: Equatable, Sendable {
    fileprivate struct File: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
        let size: Int64
        /// The times of the last modification and the last change of attributes, in nanoseconds since 1970.
        let times: [Int64]
    }

    /// The time in which a file system may give two changes the same time, in nanoseconds.
    private static let tick: Int64 = 20_000_000

    fileprivate enum Entry: Equatable, Sendable {
        case missing
        case file(File)
        /// The system's error.
        case unknown(Int32)
    }

    private let files: [Entry]

    /// A Boolean value indicating whether there is neither a log nor a journal: nobody is writing.
    var isAtRest: Bool { files.dropFirst().allSatisfy { $0 == .missing } }

    /// Looks at the files of a store.
    package init(of store: URL) {
        // SQLite's files lie beside the file that a link leads to.
        let path = store.resolvingSymlinksInPath().path
        files = ["", "-wal", "-journal"].map { suffix in
            var status = stat()
            if stat(path + suffix, &status) == 0 { return .file(File(status)) }
            return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown(errno)
        }
    }

    /// Looks at the files of a store, so that any later change shows: waits until the time of the last one has passed.
    static func settled(of store: URL) -> FileState {
        let state = FileState(of: store)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let times = state.files.flatMap { entry in if case .file(let file) = entry { file.times } else { [Int64]() } }
        let youngest = times.max() ?? 0
        guard abs(File.nanoseconds(now) - youngest) < tick else { return state }
        // Nothing else tells that the clock of file times has advanced.
        usleep(useconds_t(tick / 1_000))
        return FileState(of: store)
    }
}

extension FileState.File {
    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            times = [Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec)]
        #else
            times = [Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim)]
        #endif
    }

    fileprivate static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
