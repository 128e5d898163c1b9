import DataMonkCore
import Dispatch
import Foundation

/// **Shared.** Calls handlers when files are written to, by this process or another one: by inotify on Linux, by a dispatch
/// source for each file elsewhere. One instance of inotify serves the whole process, because the system limits their number.
///
/// Handlers are called 20 milliseconds after a write, once for all writes of that time: while a process commits without a
/// pause, they are called fifty times a second. In between no thread wakes, and the system reports nothing: each watch is for
/// one write, and is set again before the handlers are called. Otherwise each write of this process would take longer.
///
/// ## Invariants
/// 1. `source` reads from `descriptor`. Both exist from the first watch on, and stay.
/// 2. Each entry of `files` has a handler. Its watch is set, or has reported a write that is being handled.
final class FileWatcher: Sendable {
    private typealias Handlers = [UInt64: @Sendable () -> Void]

    private struct State {
        /// The instance of inotify, or -1.
        var descriptor: Int32 = -1
        var source: (any DispatchSourceRead)?
        /// The number of the system's watch, and the handlers by their own numbers; by path.
        var files: [String: (watch: Int32, handlers: Handlers)] = [:]
        var lastID: UInt64 = 0
    }

    /// The only instance, which is never released.
    static let shared = FileWatcher()
    private static let delay = DispatchTimeInterval.milliseconds(20)
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "DataMonk.FileWatcher", qos: .utility)

    private init() {}

    /// Watches a file until the result is released.
    ///
    /// - Parameter handler: Called on a queue of this object.
    /// - Returns: `nil` if the file does not exist, or if the system cannot watch any more files.
    func watch(_ path: String, _ handler: @escaping @Sendable () -> Void) -> FileWatch? {
        #if os(Linux)
            return state.withLock { state in
                guard prepare(&state) else { return nil }
                let watch = inotify_add_watch(state.descriptor, path, Self.nextWrite)
                guard watch >= 0 else { return nil }
                state.lastID += 1
                let id = state.lastID
                state.files[path, default: (watch, [:])].handlers[id] = handler
                state.files[path]?.watch = watch
                return FileWatch { [self] in remove(id, of: path) }
            }
        #else
            let file = open(path, O_EVTONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: file, eventMask: [.write, .extend], queue: queue)
            source.setEventHandler { [queue] in queue.asyncAfter(deadline: .now() + Self.delay, execute: handler) }
            source.setCancelHandler { close(file) }
            source.resume()
            return FileWatch { source.cancel() }
        #endif
    }

    #if os(Linux)
        /// IN_MODIFY and IN_ONESHOT.
        private static let nextWrite: UInt32 = 0x8000_0002
        /// The size of an event without a name, which files do not have.
        private static let eventSize = 16

        /// Returns `false` if the system has no more instances.
        private func prepare(_ state: inout State) -> Bool {
            if state.descriptor >= 0 { return true }
            let descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return false }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [self] in gatherEvents() }
            source.resume()
            state.descriptor = descriptor
            state.source = source
            return true
        }

        /// Lets events gather in the system until the delay is over.
        private func gatherEvents() {
            state.withLock { $0.source?.suspend() }
            queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
                callHandlers()
                state.withLock { $0.source?.resume() }
            }
        }

        private func remove(_ id: UInt64, of path: String) {
            state.withLock { state in
                state.files[path]?.handlers[id] = nil
                guard let file = state.files[path], file.handlers.isEmpty else { return }
                state.files[path] = nil
                // Another path may lead to the same file.
                if state.files.values.contains(where: { $0.watch == file.watch }) { return }
                inotify_rm_watch(state.descriptor, file.watch)
            }
        }

        /// Sets the watches over the files that were written to again, and calls their handlers.
        private func callHandlers() {
            let handlers = state.withLock { state in
                let numbers = Self.numbers(readFrom: state.descriptor)
                // -1 if the system has lost events.
                let all = numbers.contains(-1)
                var called: [@Sendable () -> Void] = []
                for (path, file) in state.files where all || numbers.contains(file.watch) {
                    state.files[path]?.watch = inotify_add_watch(state.descriptor, path, Self.nextWrite)
                    called += file.handlers.values
                }
                return called
            }
            for handler in handlers { handler() }
        }

        /// Reads the events that have gathered, and returns the numbers of their watches.
        private static func numbers(readFrom descriptor: Int32) -> Set<Int32> {
            var numbers: Set<Int32> = []
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return numbers }
                bytes.withUnsafeBytes { bytes in
                    var position = 0
                    while position + eventSize <= count {
                        numbers.insert(bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
                        let nameSize = bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self)
                        position += eventSize + Int(nameSize)
                    }
                }
            }
        }
    #endif
}

/// **Shared.** The watch over one file. Ends with its last reference.
final class FileWatch: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
