import DataMonkCore
import Foundation

/// **Shared.** The thread behind all watches of this process. It begins with the first watch, and stays.
///
/// A look comes 20 milliseconds after a write, once for all writes of that time. So while a process commits without a pause,
/// this thread wakes fifty times a second, and the system reports one write for each time: its own commits take no longer.
/// The store is looked at several times after the last write, because SQLite writes and syncs a commit before it makes it
/// visible. A look takes microseconds, and finds nothing new after this process's own commits.
final class ForeignCommitWatcher: Sendable {
    /// **Value.** A file, and the next look for commits to it.
    fileprivate struct File {
        let path: String
        let files = SystemFileCalls.inUse.withLock { $0 }
        let refused: @Sendable (Int32) -> Void
        let look: @Sendable () -> Void
        /// The number of the system's watch. `nil` if the file cannot be watched.
        var watch: Int32?
        /// The system's error if it refuses to watch the file; 0 otherwise, also if there is no file.
        var refusal: Int32 = 0
        /// The refusal that `refused` was last called with.
        var toldRefusal: Int32 = 0
        /// The looks since the last write.
        var lookCount = 0
        /// `nil` after the last look.
        var nextLook: ContinuousClock.Instant?
    }

    private struct State {
        var files: [UInt64: File] = [:]
        var lastID: UInt64 = 0
        var isRunning = false
    }

    /// The only instance, which is never released.
    static let shared = ForeignCommitWatcher()
    /// In seconds.
    private static let delay = 0.02
    private let state = Locked(State())
    private let events = FileEvents()

    private init() {}

    /// Begins to look for commits to a file. Returns the number of the watch.
    func add(
        _ path: String, refused: @escaping @Sendable (Int32) -> Void, look: @escaping @Sendable () -> Void
    ) -> UInt64 {
        let (id, isFirst) = state.withLock { state in
            state.lastID += 1
            state.files[state.lastID] = File(path, refused: refused, look: look, events)
            defer { state.isRunning = true }
            return (state.lastID, !state.isRunning)
        }
        if isFirst {
            Thread.detachNewThread { [self] in
                Thread.current.name = "DataMonk.ForeignCommits"
                run()
            }
        } else {
            events.wake()
        }
        return id
    }

    func remove(_ id: UInt64) {
        state.withLock { state in
            guard let watch = state.files.removeValue(forKey: id)?.watch else { return }
            // Several paths may lead to the same file.
            if !state.files.values.contains(where: { $0.watch == watch }) { events.endWatch(watch) }
        }
    }

    private func run() {
        while true {
            let written = events.take()
            let (looks, next) = state.withLock { state in
                var looks: [@Sendable () -> Void] = []
                for id in state.files.keys {
                    if let look = state.files[id]?.look(at: .now, written: written, events) { looks.append(look) }
                    if let refused = state.files[id]?.callForRefusal() { looks.append(refused) }
                }
                return (looks, state.files.values.lazy.compactMap(\.nextLook).min())
            }
            for look in looks { look() }
            // Reason for the sleep: further writes gather in the system meanwhile.
            if !written.isEmpty || events.wait(until: next) { Thread.sleep(forTimeInterval: Self.delay) }
        }
    }
}

extension ForeignCommitWatcher.File {
    /// The times between two looks. A commit that takes longer to sync is found with the next one, or by the next reader.
    private static let pauses = [10, 15, 25, 50, 100, 300, 1_000, 2_000].map { Duration.milliseconds($0) }
    private static let pollingInterval = Duration.seconds(1)

    fileprivate init(
        _ path: String, refused: @escaping @Sendable (Int32) -> Void, look: @escaping @Sendable () -> Void,
        _ events: FileEvents
    ) {
        self.path = path
        self.refused = refused
        self.look = look
        take(events.watch(path, files))
        if watch == nil { nextLook = .now + Self.pollingInterval }
    }

    private mutating func take(_ answer: FileWatch) {
        switch answer {
        case .begun(let number): (watch, refusal) = (number, 0)
        // Without a log, there is nothing to watch yet.
        case .refused(let code): (watch, refusal) = (nil, code == ENOENT ? 0 : code)
        }
    }

    /// Returns a closure to call if the system refuses to watch the file, and nobody was told.
    fileprivate mutating func callForRefusal() -> (@Sendable () -> Void)? {
        defer { toldRefusal = refusal }
        guard refusal != 0, refusal != toldRefusal else { return nil }
        return { [refused, refusal] in refused(refusal) }
    }

    /// Returns a closure to call if a look is due, and sets the time of the next one.
    ///
    /// - Parameter written: The watches over the files that were written to.
    fileprivate mutating func look(
        at now: ContinuousClock.Instant, written: WrittenFiles, _ events: FileEvents
    ) -> (@Sendable () -> Void)? {
        if let watch, written.contains(watch) {
            // Before the look, so that no write in between is missed.
            take(events.renewWatch(watch, path, files))
            lookCount = 0
        } else {
            guard let nextLook, nextLook <= now else { return nil }
            lookCount += 1
            if watch == nil { take(events.watch(path, files)) }
        }
        if watch == nil {
            nextLook = now + Self.pollingInterval
        } else {
            nextLook = lookCount < Self.pauses.count ? now + Self.pauses[lookCount] : nil
        }
        return look
    }
}
