import DataMonkCore
import Dispatch
import Foundation

/// **Shared.** Causes a look for other processes' commits while nobody reads: after each write to the store's log, and
/// every second where the system does not report writes. Ends with its last reference.
///
/// A write is reported before its commit is visible, because SQLite publishes a commit after it has written and synced it.
/// So the store is looked at several times after the last write. A look takes microseconds, and finds nothing new after
/// this process's own commits.
///
///     idle --a write--> looking, round 0 --> round 1 … --last round--> idle
///                          ^------a write-------+
final class ForeignCommitWatch: Sendable {
    private struct State {
        var file: FileWatch?
        /// The number of looks since the last write; `nil` when idle.
        var round: Int?
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
        let isIdle = state.withLock { state in
            defer { state.round = 0 }
            return state.round == nil
        }
        if isIdle { lookLater(Self.pauses[0]) }
    }

    private func lookLater(_ pause: Int) {
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in self?.lookNow() }
    }

    private func lookNow() {
        look()
        let pause = state.withLock { state -> Int? in
            guard let round = state.round, round + 1 < Self.pauses.count else {
                state.round = nil
                return nil
            }
            state.round = round + 1
            return Self.pauses[round + 1]
        }
        if let pause { lookLater(pause) }
    }

    private func poll() {
        queue.asyncAfter(deadline: .now() + Self.pollingInterval) { [weak self] in
            guard let self else { return }
            self.look()
            self.poll()
        }
    }
}
