/// **Shared.** The blocks of observers, by the tokens that remove them. An object of its own, so that a token keeps
/// nothing else alive.
package final class SharedObservers<Notice>: Sendable {
    private struct State {
        var blocks: [UInt64: @Sendable (Notice) -> Void] = [:]
        var lastToken: UInt64 = 0
    }

    private let state = Locked(State())
    /// Observers of this list and of others alike.
    private let common: SharedObservers?

    /// - Parameter common: Observers that are called too.
    package init(and common: SharedObservers? = nil) { self.common = common }

    /// The blocks, to be called outside of all locks.
    package var blocks: [@Sendable (Notice) -> Void] {
        let own = state.withLock { $0.blocks.isEmpty ? [] : Array($0.blocks.values) }
        guard let others = common?.blocks, !others.isEmpty else { return own }
        return own + others
    }

    /// Adds a block, and returns the token that removes it.
    package func add(_ block: @escaping @Sendable (Notice) -> Void) -> UInt64 {
        state.withLock { state in
            state.lastToken += 1
            state.blocks[state.lastToken] = block
            return state.lastToken
        }
    }

    /// Removes a block. What it has captured is released outside of the lock.
    package func remove(_ token: UInt64) {
        _ = state.withLock { $0.blocks.removeValue(forKey: token) }
    }
}
