import Dispatch
import Synchronization

/// **Shared.** Causes a look for other processes' commits while nobody reads: after each write to the store's log, and
/// every second where the system does not report writes. Ends with its last reference.
///
/// Each watch looks on a queue of its own: a look may wait, for a lock of the store or in an observer, and must not keep
/// other stores from being looked at.
final class ForeignCommitWatch: Sendable {
    private let id: UInt64

    /// - Parameters:
    ///   - path: The file that other processes write to when they commit.
    ///   - refused: Called with the system's error, on the queue of the looks, if the system refuses to watch the file. Not
    ///     called again for the same error until the file could be watched.
    ///   - look: Looks for other processes' commits.
    init(
        path: String, refused: @escaping @Sendable (Int32) -> Void = { _ in }, look: @escaping @Sendable () -> Void
    ) {
        let looks = Looks(look)
        id = ForeignCommitWatcher.shared.add(path) { code in
            looks.queue.async { refused(code) }
        } look: {
            looks.request()
        }
    }

    deinit { ForeignCommitWatcher.shared.remove(id) }

    /// **Shared.** The looks of a watch, one at a time.
    private final class Looks: Sendable {
        let queue = DispatchQueue(label: "DataMonk.ForeignCommitWatch", qos: .utility)
        private let isRequested = Atomic(false)
        private let look: @Sendable () -> Void

        init(_ look: @escaping @Sendable () -> Void) { self.look = look }

        /// Looks soon. Requests during a look become one.
        func request() {
            if isRequested.exchange(true, ordering: .acquiringAndReleasing) { return }
            queue.async { [self] in
                isRequested.store(false, ordering: .sequentiallyConsistent)
                look()
            }
        }
    }
}
