import DataMonkCore
import Dispatch
import Foundation

/// **Shared.** Causes a look for other processes' commits while nobody reads: after each write to the store's log, and
/// every second where the system does not report writes. Ends with its last reference.
///
/// A write is reported before its commit is visible, because SQLite publishes a commit after it has written and synced it.
/// So the store is looked at several times after the last write. A look takes microseconds, and finds nothing new after
/// this process's own commits.
final class ForeignCommitWatch: Sendable {
    private struct State {
        var file: FileWatch?
        /// The number of writes that were reported. The looks after a write end with the next one.
        var writes: UInt64 = 0
    }

    /// The times between two looks, in milliseconds. A commit that takes longer to sync is found with the next one, or by
    /// the next reader.
    private static let pauses = [0, 10, 15, 25, 50, 100, 300, 1_000, 2_000]
    private static let pollingInterval = DispatchTimeInterval.seconds(1)
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "DataMonk.ForeignCommitWatch", qos: .utility)
    private let look: @Sendable () -> Void

    /// - Parameters:
    ///   - path: The file that other processes write to when they commit.
    ///   - look: Looks for other processes' commits, on a queue of this object.
    init(path: String, look: @escaping @Sendable () -> Void) {
        self.look = look
        let file = FileWatcher.shared.watch(path) { [weak self] in self?.noteWrite() }
        state.withLock { $0.file = file }
        if file == nil { poll() }
    }

    private func noteWrite() {
        let write = state.withLock { state in
            state.writes += 1
            return state.writes
        }
        lookLater(after: write, round: 0)
    }

    /// Looks after a pause, unless there is another write until then, and then again in the next round.
    private func lookLater(after write: UInt64, round: Int) {
        if round == Self.pauses.count { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.pauses[round])) { [weak self] in
            guard let self, self.state.withLock({ $0.writes }) == write else { return }
            self.look()
            self.lookLater(after: write, round: round + 1)
        }
    }

    private func poll() {
        queue.asyncAfter(deadline: .now() + Self.pollingInterval) { [weak self] in
            guard let self else { return }
            self.look()
            self.poll()
        }
    }
}
