import DataMonkCore

/// **Shared.** Moves a store's log into its file, after commits, by a connection of its own.
///
/// The writer rests meanwhile, so that readers can ask it for other processes' commits: they never wait for a disk.
/// The leader of the commit queue is the only one to call it.
final class Checkpointer: Sendable {
    private struct State {
        /// `nil` before the first checkpoint and during one, and after one that has failed.
        var connection: Lent?
        var isClosed = false
    }

    private let state = Locked(State())
    private let open: @Sendable () throws -> sending SQLiteConnection

    /// Opens its connection at the first checkpoint.
    init(open: @escaping @Sendable () throws -> sending SQLiteConnection) {
        self.open = open
    }

    /// Moves what no reader needs any more; waits for nobody.
    func checkpoint() throws -> SQLiteConnection.CheckpointResult {
        let known = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        let connection = if let known { known } else { Lent(try open()) }
        // Whatever fails, the next checkpoint begins with a file handle that has not seen it.
        let result = try connection.value.checkpoint(.passive)
        state.withLock { state in
            if !state.isClosed { state.connection = connection }
        }
        return result
    }

    /// Lets the connection go. The writer, which is closed last, moves what is left.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection = nil
        }
    }
}
