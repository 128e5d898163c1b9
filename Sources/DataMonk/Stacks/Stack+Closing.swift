import DataMonkCore
import Dispatch

extension Stack {
    /// Closes all stores. End updates and release contexts first: later reads and commits throw an error.
    ///
    /// Called on the main actor, it returns with all of the stack's files closed: reads by main contexts in the current turn
    /// do not keep a file open. Called elsewhere, such a file is closed at the end of the main actor's turn. The call blocks
    /// while files are written; ``closeStores(fileID:line:)`` does not.
    ///
    /// Waits for commits that are queued or being written. Later calls fail, and say that the stack was closed.
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` of the first store that failed to close; the others are closed nevertheless.
    ///   Its code is `wouldDeadlock` if the method is called inside a commit; then nothing is closed. ``SaveError`` with the code
    ///   `deadlinePassed` inside another stack's commit, if this stack's commits do not end within half a minute.
    ///   ``UpdateError`` if another thread is opening a store and does not finish before the stack's deadline.
    public func close() throws {
        try StoreOpener.workAndWait(on: self, for: UpdateCall("close")) { try closeAll() }
    }

    /// Closes all stores like `close()`, on another thread.
    public func closeStores(fileID: StaticString = #fileID, line: UInt = #line) async throws {
        try await StoreOpener().work(through: storeGate, for: UpdateCall("closeStores", file: fileID, line: line)) {
            try self.closeAll()
        }
    }

    private func closeAll() throws {
        // Before closing, so that the log can be moved into the file; after it, for reads that happened in between.
        endTurnsOfMainContexts()
        // Also if a store could not be closed properly, but not if nothing was closed.
        defer {
            if coordinator.stores.isEmpty {
                endWatches()
                openStores.withLock { $0 = [] }
                coordinator.tellThatEverythingHasChanged()
                endTurnsOfMainContexts()
            }
        }
        try coordinator.close()
    }

    /// Makes main contexts release their snapshots of the main actor's current turn: at once if called on the main actor,
    /// otherwise as soon as the main actor is free. Does not wait for the main actor, which may itself be waiting for the
    /// caller.
    func endTurnsOfMainContexts() {
        let contexts = mainContexts.withLock { contexts in
            contexts.removeAll { $0.context == nil }
            return contexts
        }
        if contexts.isEmpty { return }
        if MainQueue.isCurrent {
            // The caller runs on the main actor, although the compiler does not know that it is isolated to it.
            MainActor.assumeIsolated { for each in contexts { each.context?.endTurn() } }
        } else {
            Task { @MainActor in for each in contexts { each.context?.endTurn() } }
        }
    }
}

/// **Value.** A weak reference to a main context of a stack.
struct WeakMainContext: Sendable {
    weak var context: MainContext?
}
