import DataMonkCore

extension Stack {
    /// **Value.** The watches over stores that other processes may commit to. None before somebody follows their commits:
    /// a program that only writes pays nothing.
    struct Watches: Sendable {
        var isFollowing = false
        /// One for each of the first stores; `nil` for a store that no other process can access.
        var stores: [(any AnyObject & Sendable)?] = []
    }

    /// Makes commits of other processes known soon after they were made, also while nobody reads: to main contexts, which
    /// follow them, and to observers. Called for each of these.
    func followOtherProcesses() {
        watches.withLock { $0.isFollowing = true }
        watchNewStores()
    }

    /// Watches the stores that were added since the last call, if anybody follows them.
    func watchNewStores() {
        watches.withLock { watches in
            if !watches.isFollowing { return }
            for store in coordinator.stores.dropFirst(watches.stores.count) {
                // Weak, because a look must not outlive the stack's coordinator.
                watches.stores.append(
                    store.watchForeignCommits { [weak self] in self?.coordinator.lookForForeignCommits() })
            }
        }
    }

    /// Ends the watch over a store that was removed.
    func endWatch(overStoreAt index: Int) {
        watches.withLock { if index < $0.stores.count { $0.stores[index] = nil } }
    }

    /// Ends the watches, because the stores are being closed.
    func endWatches() { watches.withLock { $0.stores = [] } }
}
