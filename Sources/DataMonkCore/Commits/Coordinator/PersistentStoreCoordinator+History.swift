import Foundation

extension PersistentStoreCoordinator {
    /// Fetches or deletes the history of the stores that keep one.
    ///
    ///     var mine = FetchRequest(entityName: "Transaction", condition: .compare("author", .equal, "import"))
    ///     mine.fetchLimit = 10
    ///     let first = try coordinator.execute(.fetchHistory(matching: mine)).transactions
    ///
    /// - Throws: ``StoreError`` with the code `historyTokenExpired` (134301) if the token's transaction was purged, or lost
    ///   in a migration or by a server: process all data anew; `unsupportedRequest` if no store keeps a history.
    ///   ``FetchError`` for a request with sort terms or an invalid condition.
    /// - Complexity: Two SELECTs for each store; on a server, one for each 10,000 transactions or changes. Conditions are
    ///   evaluated in memory, over everything after the token.
    @discardableResult
    public func execute(_ request: HistoryRequest) throws -> HistoryResult {
        switch request.work {
        case .fetch(let place):
            let fetch = try HistoryFetch(request)
            return try fetch.result(of: transactions(after: place, includingChanges: fetch.needsChanges))
        case .delete(let place): return try deleteHistory(before: place)
        }
    }

    /// Returns the position after everything written so far, or `nil` if nothing was.
    ///
    /// - Throws: ``StoreError`` with the code `unsupportedRequest` if no store keeps a history.
    public func currentHistoryToken() throws -> HistoryToken? {
        var positions: [UUID: HistoryPosition] = [:]
        try forEachHistory { store, reader in
            positions[store.identifier] = try reader.lastHistoryPosition()
        }
        return positions.isEmpty ? nil : HistoryToken(positions)
    }

    private func transactions(
        after place: HistoryRequest.Place, includingChanges: Bool
    ) throws -> [HistoryTransaction] {
        var found: [HistoryTransaction] = []
        try forEachHistory { store, reader in
            let records =
                try reader.history(after: place.bound(in: store), includingChanges: includingChanges) ?? []
            found += records.map { HistoryTransaction($0, storeIdentifier: store.identifier, directory: directory) }
        }
        return found
    }

    private func forEachHistory(_ body: (any PersistentStore, any StoreReader) throws -> Void) throws {
        let stores = stores
        if stores.isEmpty { throw noStores }
        var isKept = false
        for store in stores {
            let reader = try store.openReader()
            defer { reader.end() }
            guard try reader.keepsHistory() else { continue }
            isKept = true
            try body(store, reader)
        }
        if !isKept { throw StoreError.noHistory }
    }

    private func deleteHistory(before place: HistoryRequest.Place) throws -> HistoryResult {
        var result = HistoryResult()
        // This changes no objects. The new generation is for readers, whose snapshots are identified by commits.
        try writeAlone { batch in
            // Of a call that other processes were in the way of.
            result.count = 0
            for (index, store) in stores.enumerated() {
                result.count += try batch.begin(index).deleteHistory(before: place.bound(in: store))
            }
            return ChangeSet()
        }
        return result
    }
}

extension HistoryRequest.Place {
    /// Returns the position in a store. A store unknown to the token was added after it.
    fileprivate func bound(in store: any PersistentStore) -> HistoryBound {
        switch self {
        case .start: .start
        case .date(let date): .date(date)
        case .token(let token): token.positions[store.identifier].map { .transaction($0) } ?? .start
        }
    }
}

extension HistoryTransaction {
    fileprivate init(_ record: HistoryRecord, storeIdentifier: UUID, directory: ObjectDirectory) {
        self.init(
            transactionNumber: record.number, storeIdentifier: storeIdentifier, timestamp: record.timestamp,
            author: record.signature.author, contextName: record.signature.contextName, bundleID: record.bundleID,
            processID: record.processID,
            changes: record.changes.map { change in
                HistoryChange(
                    changeID: change.number, changeType: change.type,
                    changedObjectID: AnyObjectID(key: change.key, directory: directory),
                    transactionNumber: record.number, updatedProperties: change.updatedProperties,
                    tombstone: change.tombstone)
            }, identifier: record.identifier)
    }
}
