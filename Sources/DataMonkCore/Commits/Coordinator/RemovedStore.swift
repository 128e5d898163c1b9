import Foundation

/// **Shared.** A store that was removed from its coordinator. It keeps the place of its index, which is part of its objects' keys:
/// what reads or writes one of them fails with an error that says why.
final class RemovedStore: PersistentStore {
    /// No object has it: objects of the removed store are not found by their URIs any more.
    let identifier = UUID()
    let configuration: String? = nil
    let url: URL? = nil
    let isReadOnly = true
    private let error: StoreError

    init(inPlaceOf store: any PersistentStore) { error = .removedStore(store.url) }

    func openReader(until deadline: () -> ContinuousClock.Instant?) -> any StoreReader { RemovedStoreReader(error) }
    func beginTransaction() throws -> any StoreTransaction { throw error }
    func metadata() throws -> [String: ManagedValue] { throw error }
    func close() {}
}

/// **Confined.** Knows no object.
final class RemovedStoreReader: StoreReader {
    private let error: StoreError

    init(_ error: StoreError) { self.error = error }

    func fetch(_ fetch: ResolvedFetch, into sink: some RowSink) throws { throw error }
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] { throw error }
    func count(_ fetch: ResolvedFetch) throws -> Int { throw error }
    func values(_ fetch: ResolvedFetch) throws -> ValueRows { throw error }
    func plan(of fetch: ResolvedFetch, showsValues: Bool) throws -> FetchPlan { throw error }
    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? { throw error }
    func rows(of keys: [ObjectKey], into sink: some RowSink) throws { throw error }
    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) throws {
        throw error
    }
    func version(of key: ObjectKey) throws -> Int64? { throw error }
    // The rest is asked of every store.
    func lastPrimaryKey(of entity: Entity) -> Int64 { 0 }
    func keepsHistory() -> Bool { false }
    func history(after bound: HistoryBound, includingChanges: Bool) -> [HistoryRecord]? { nil }
    func lastHistoryPosition() -> HistoryPosition? { nil }
    func end() {}
}

extension PersistentStoreCoordinator {
    /// Removes a store and closes it, after the commits that wait or are being written. Contexts move on as after a commit of
    /// unknown changes; objects of the store can be neither read nor saved.
    ///
    /// - Throws: ``StoreError`` if metadata of the store waits to be saved, in which case nothing is removed, or if the store
    ///   could not be closed properly; with the code `wouldDeadlock` inside a commit.
    package func removeStore(at index: Int) throws {
        try queue.commitAlone {
            let store = try shared.withLock { shared in
                let store = shared.stores[index]
                if shared.waitingMetadata[index] != nil { throw StoreError.unsavedMetadata(store.url) }
                shared.stores[index] = RemovedStore(inPlaceOf: store)
                return store
            }
            directory.removeStore(index)
            noteForeignChanges()
            try store.close()
        }
    }
}

extension PersistentStoreCoordinator {
    /// Returns `true` for the index of a store that was removed.
    package func isRemoved(_ index: Int) -> Bool { stores[index] is RemovedStore }
}

extension StoreError {
    fileprivate static func removedStore(_ url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The store \(url?.lastPathComponent ?? "in memory") was removed from the stack, so its objects can be neither \
            read nor saved. Add it again, and fetch them anew.
            """, storeURL: url)
    }

    fileprivate static func unsavedMetadata(_ url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The store \(url?.lastPathComponent ?? "in memory") was not removed, because new metadata of it waits to be \
            saved. Save any context first.
            """, storeURL: url)
    }
}
