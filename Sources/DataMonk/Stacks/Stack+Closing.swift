import DataMonkCore

extension Stack {
    /// Closes every store. End updates and let contexts go before: whoever reads or commits afterwards gets an error.
    ///
    /// Blocks while files are written; ``closeStores(fileID:line:)`` does not.
    ///
    /// - Throws: ``StoreError`` of the first store that could not be closed well; the others are closed all the same.
    ///   ``UpdateError`` if another thread is opening a store and does not end before the stack's deadline.
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
        openFiles.withLock { $0 = [:] }
        try coordinator.close()
    }
}
