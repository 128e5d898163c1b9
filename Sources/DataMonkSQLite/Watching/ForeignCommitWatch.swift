/// **Shared.** Causes a look for other processes' commits while nobody reads: after each write to the store's log, and
/// every second where the system does not report writes. Ends with its last reference.
final class ForeignCommitWatch: Sendable {
    private let id: UInt64

    /// - Parameters:
    ///   - path: The file that other processes write to when they commit.
    ///   - look: Looks for other processes' commits. Called on a thread that serves all watches, and therefore must not wait
    ///     for long.
    init(path: String, look: @escaping @Sendable () -> Void) {
        id = ForeignCommitWatcher.shared.add(path, look: look)
    }

    deinit { ForeignCommitWatcher.shared.remove(id) }
}
