import DataMonkCore
import Foundation

/// **Value.** The watches over files that were written to.
struct WrittenFiles {
    private var numbers: Set<Int32> = []
    var isEmpty: Bool { numbers.isEmpty }

    /// The system's number if it has lost reports: any file may have been written to.
    private static let lost: Int32 = -1

    mutating func insert(_ watch: Int32) { numbers.insert(watch) }
    func contains(_ watch: Int32) -> Bool { numbers.contains(watch) || numbers.contains(Self.lost) }
}

/// **Value.** The system's answer to a request to watch a file.
enum FileWatch {
    /// The number of the watch.
    case begun(Int32)
    /// The system's error; `ENOENT` if there is no file.
    case refused(Int32)
}

#if os(Linux)
    /// **Shared.** The system's reports of writes to files, by this process or another one. One thread waits for them.
    ///
    /// Each watch is for one write, and is then renewed: otherwise each write of this process would take longer. One
    /// instance of inotify serves all files, because the system limits the number of instances.
    final class FileEvents: Sendable {
        /// The size of an event without a name, which files do not have.
        private static let eventSize = 16
        /// -1 if the system has no more instances of inotify: then no file is watched.
        private let inotify: Int32
        /// The system's error in that case; otherwise 0.
        private let refusal: Int32
        /// The two ends of a pipe. -1 if the process has no more descriptors: then waiting ends after a second.
        private let wakeup: (reading: Int32, writing: Int32)

        init() {
            inotify = inotify_init1(O_CLOEXEC | O_NONBLOCK)
            refusal = inotify < 0 ? errno : 0
            var ends: [Int32] = [-1, -1]
            _ = pipe(&ends)
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            wakeup = (ends[0], ends[1])
        }

        /// Watches a file until its next write.
        func watch(_ path: String, _ files: any FileCalls) -> FileWatch {
            if refusal != 0 { return .refused(refusal) }
            let watch = files.watch(path, by: inotify)
            return watch >= 0 ? .begun(watch) : .refused(errno)
        }

        /// Watches a file that was written to until its next write.
        func renewWatch(_ watch: Int32, _ path: String, _ files: any FileCalls) -> FileWatch {
            self.watch(path, files)
        }

        func endWatch(_ watch: Int32) { inotify_rm_watch(inotify, watch) }

        /// Ends the current or the next call of `wait`.
        func wake() { _ = write(wakeup.writing, [1], 1) }

        /// Waits until a file was written to, until the deadline passes, or until the next call of `wake`. Returns `true` if
        /// a file was written to.
        func wait(until deadline: ContinuousClock.Instant?) -> Bool {
            // Rounded up. -1 without a deadline.
            let limit = deadline.map { max(0, Int32(ContinuousClock.now.duration(to: $0) / .milliseconds(1)) + 1) }
            let milliseconds = wakeup.reading < 0 ? min(limit ?? 1_000, 1_000) : limit ?? -1
            var descriptors = [
                pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup.reading, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, 2, milliseconds) > 0 else { return false }
            if descriptors[1].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 64)
                _ = read(wakeup.reading, &bytes, bytes.count)
            }
            return descriptors[0].revents != 0
        }

        /// Returns the watches over the files that were written to since the last call. They have ended.
        func take() -> WrittenFiles {
            var files = WrittenFiles()
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(inotify, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return files }
                bytes.withUnsafeBytes { bytes in
                    var position = 0
                    while position + Self.eventSize <= count {
                        files.insert(bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
                        let nameSize = bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self)
                        position += Self.eventSize + Int(nameSize)
                    }
                }
            }
        }
    }
#else
    /// **Shared.** The system's reports of writes to files, by this process or another one. One thread waits for them.
    final class FileEvents: Sendable {
        private struct State {
            var sources: [Int32: any DispatchSourceFileSystemObject] = [:]
            var written = WrittenFiles()
        }

        private let state = Locked(State())
        private let wakeup = DispatchSemaphore(value: 0)
        private let queue = DispatchQueue(label: "DataMonk.FileEvents", qos: .utility)

        /// Watches a file.
        func watch(_ path: String, _ files: any FileCalls) -> FileWatch {
            let file = files.watch(path, by: -1)
            guard file >= 0 else { return .refused(errno) }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: file, eventMask: [.write, .extend], queue: queue)
            source.setEventHandler { [self] in
                let isFirst = state.withLock { state in
                    defer { state.written.insert(file) }
                    return state.written.isEmpty
                }
                if isFirst { wake() }
            }
            source.setCancelHandler { close(file) }
            state.withLock { $0.sources[file] = source }
            source.resume()
            return .begun(file)
        }

        /// Returns the watch, which goes on after a write.
        func renewWatch(_ watch: Int32, _ path: String, _ files: any FileCalls) -> FileWatch { .begun(watch) }

        func endWatch(_ watch: Int32) { state.withLock { $0.sources.removeValue(forKey: watch) }?.cancel() }

        /// Ends the current or the next call of `wait`.
        func wake() { wakeup.signal() }

        /// Waits until a file was written to, until the deadline passes, or until the next call of `wake`. Returns `true` if
        /// a file was written to.
        func wait(until deadline: ContinuousClock.Instant?) -> Bool {
            let seconds = deadline.map { ContinuousClock.now.duration(to: $0) / .seconds(1) }
            _ = wakeup.wait(timeout: seconds.map { .now() + $0 } ?? .distantFuture)
            return state.withLock { !$0.written.isEmpty }
        }

        /// Returns the watches over the files that were written to since the last call.
        func take() -> WrittenFiles {
            state.withLock { state in
                defer { state.written = WrittenFiles() }
                return state.written
            }
        }
    }
#endif
