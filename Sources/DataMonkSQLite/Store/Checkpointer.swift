import DataMonkCore

/// **Shared.** Moves a store's log into its file after commits, on a connection of its own.
///
/// The writer is idle meanwhile, so that readers can ask it for other processes' commits without ever waiting for a disk.
/// Only the leader of the commit queue calls it, or who has taken its place.
final class Checkpointer: Sendable {
    private struct State {
        /// `nil` before the first checkpoint, during a checkpoint, and after a failed one.
        var connection: Lent?
        var isClosed = false
    }

    private let state = Locked(State())
    private let open: @Sendable () throws -> sending SQLiteConnection

    /// Creates a checkpointer that opens its connection at the first checkpoint.
    init(open: @escaping @Sendable () throws -> sending SQLiteConnection) {
        self.open = open
    }

    /// Moves the pages that no reader needs any more, without waiting.
    func checkpoint() throws -> SQLiteConnection.CheckpointResult {
        let known = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        let connection = if let known { known } else { Lent(try open()) }
        // After any failure, the next checkpoint starts with a file handle that has not seen it.
        let result = try connection.value.checkpoint(.passive)
        state.withLock { state in
            if !state.isClosed { state.connection = connection }
        }
        return result
    }

    /// Releases the connection. The writer, which is closed last, moves what is left.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection = nil
        }
    }
}
