import DataMonkCore
import Dispatch

extension Stack {
    /// Closes every store. End updates and let contexts go before: whoever reads or commits afterwards gets an error.
    ///
    /// On the main actor no file of the stack is open when it returns: what main contexts have read in the present turn does
    /// not keep one. Elsewhere such a file is free when the main actor's turn has ended. Blocks while files are written;
    /// ``closeStores(fileID:line:)`` does not.
    ///
    /// Commits that are being written, or wait for that, are waited for; those that come later say that there is no store.
    ///
    /// - Throws: ``StoreError`` of the first store that could not be closed well; the others are closed all the same. With
    ///   the code `wouldDeadlock` if it is called inside a commit; nothing is closed then. ``UpdateError`` if another thread is opening a store and does not end before the stack's deadline.
    public func close() throws {
        try StoreKeeper.workAndWait(through: storeGate, UpdateCall("close"), until: deadline) { try closeAll() }
    }

    /// As `close()`, on another thread.
    public func closeStores(fileID: StaticString = #fileID, line: UInt = #line) async throws {
        try await StoreKeeper().work(through: storeGate, UpdateCall("closeStores", fileID, line)) {
            try self.closeAll()
        }
    }

    private func closeAll() throws {
        try coordinator.requireOutsideCommit()
        openFiles.withLock { $0 = [:] }
        // Before, so that the log can be moved into the file; after, for whoever has read in between.
        endTurnsOfMainContexts()
        try coordinator.close()
        endTurnsOfMainContexts()
    }

    /// Lets main contexts give back what the present turn of the main actor has read: at once on the main actor, elsewhere as
    /// soon as that is free. Nobody waits for the main actor, which may be waiting for the caller.
    private func endTurnsOfMainContexts() {
        let contexts = mainContexts.withLock { contexts in
            contexts.removeAll { $0.context == nil }
            return contexts
        }
        if contexts.isEmpty { return }
        if MainQueue.isCurrent {
            // The caller is on the main actor, if not isolated to it as far as the compiler knows.
            MainActor.assumeIsolated { for each in contexts { each.context?.endTurn() } }
        } else {
            Task { @MainActor in for each in contexts { each.context?.endTurn() } }
        }
    }
}

/// **Value.** A main context of a stack, which does not keep it.
struct WeakMainContext: Sendable {
    weak var context: MainContext?
}
