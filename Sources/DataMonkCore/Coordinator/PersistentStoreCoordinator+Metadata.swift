public import Foundation
import Synchronization

/// What is written down about a store beside its objects: by the store itself (its type, UUID and version), and by the
/// application.
///
/// What is set waits in `shared` for the next commit, which takes it along into the store's transaction: it is there as a
/// whole or not at all, like an object.
extension PersistentStoreCoordinator {
    /// The metadata of a store: what was set last, saved or not, and the store's own keys, which begin with `NS`.
    ///
    ///     let known = try stack.coordinator.metadata(ofStoreAt: url)["lastImport"]
    ///
    /// - Parameter url: where the store lies; nil for the one in memory.
    /// - Throws: ``StoreError`` if there is no such store, or it cannot be read.
    /// - Complexity: one SELECT.
    public func metadata(ofStoreAt url: URL? = nil) throws -> [String: ManagedValue] {
        let index = try storeIndex(at: url)
        let (store, waiting) = shared.withLock { ($0.stores[index], $0.waitingMetadata[index]) }
        let saved = try store.metadata()
        guard let waiting else { return saved }
        return saved.filter { StoreMetadataKey.isStoresOwn($0.key) }.merging(waiting) { own, _ in own }
    }

    /// Replaces what the application has written down about a store. It is on disk with the next save of any context, of
    /// one without changes too.
    ///
    ///     var metadata = try coordinator.metadata(ofStoreAt: url)
    ///     metadata["lastImport"] = .date(Date())
    ///     try coordinator.setMetadata(metadata, ofStoreAt: url)
    ///     try context.save()
    ///
    /// - Parameters:
    ///   - metadata: texts, numbers, truth values, dates, data, and lists and dictionaries of them. The store's own keys may
    ///     be missing; they stay as they are.
    ///   - url: where the store lies; nil for the one in memory.
    /// - Throws: ``StoreError`` for a value of another kind, for another value of one of the store's own keys, for a store
    ///   that is open for reading alone, and if there is no such store. Nothing was set then.
    public func setMetadata(_ metadata: [String: ManagedValue], ofStoreAt url: URL? = nil) throws {
        let index = try storeIndex(at: url)
        let store = stores[index]
        // It would wait for ever, and every save with it fail.
        if store.isReadOnly { throw StoreError.openedReadOnly(store.url) }
        try metadata.requireStorable(over: store.metadata(), url)
        shared.withLock { shared in
            shared.waitingMetadata[index] = metadata.filter { !StoreMetadataKey.isStoresOwn($0.key) }
        }
        isMetadataWaiting.store(true, ordering: .releasing)
    }

    /// What waits for the next commit, by store.
    var waitingMetadata: [Int: [String: ManagedValue]] {
        if !isMetadataWaiting.load(ordering: .acquiring) { return [:] }
        return shared.withLock { $0.waitingMetadata }
    }

    /// Metadata are in their stores now. What was set since goes on waiting.
    func metadataWereSaved(_ saved: [Int: [String: ManagedValue]]) {
        shared.withLock { shared in
            for (index, metadata) in saved where shared.waitingMetadata[index] == metadata {
                shared.waitingMetadata[index] = nil
            }
            isMetadataWaiting.store(!shared.waitingMetadata.isEmpty, ordering: .releasing)
        }
    }

    func storeIndex(at url: URL?) throws -> Int {
        let url = url?.standardizedFileURL
        let places = stores.indices.filter { stores[$0].url?.standardizedFileURL == url }
        guard let first = places.first, places.count == 1 else { throw StoreError.noStore(at: url, places.count) }
        return first
    }
}

extension [String: ManagedValue] {
    /// Throws if they cannot be a store's metadata.
    ///
    /// - Parameter current: what the store says now.
    package func requireStorable(over current: [String: ManagedValue], _ url: URL?) throws {
        for (key, value) in self {
            if value.isNested(deeperThan: Self.maximumDepth) {
                throw StoreError.deepMetadata(key, Self.maximumDepth, url)
            }
            if !value.isPropertyList { throw StoreError.unstorableMetadata(key, url) }
            if StoreMetadataKey.isStoresOwn(key), current[key] != value {
                throw StoreError.reservedMetadata(key, url)
            }
        }
    }
}

extension [String: ManagedValue] {
    /// Deeper metadata are refused: property lists are read and written by recursion.
    private static var maximumDepth: Int { 100 }
}

extension ManagedValue {
    /// Whether lists and dictionaries lie in each other on more levels than that. Level by level, without recursion.
    fileprivate func isNested(deeperThan depth: Int) -> Bool {
        var level = [self]
        for _ in 0...depth {
            level = level.flatMap(\.elementsOfContainer)
            if level.isEmpty { return false }
        }
        return true
    }

    private var elementsOfContainer: [ManagedValue] {
        switch self {
        case .list(let values): values
        case .dictionary(let values): Array(values.values)
        default: []
        }
    }

    /// Whether a property list can hold the value.
    fileprivate var isPropertyList: Bool {
        switch self {
        case .bool, .int, .double, .string, .date, .data: true
        case .list(let values): values.allSatisfy(\.isPropertyList)
        case .dictionary(let values): values.values.allSatisfy(\.isPropertyList)
        case .null, .decimal, .uuid, .url, .object: false
        }
    }
}

extension StoreError {
    fileprivate static func noStore(at url: URL?, _ count: Int) -> StoreError {
        StoreError(
            .operationFailed,
            count == 0
                ? "The stack has no such store. Name a file that was added, or none for the store in memory."
                : "The stack has \(count) stores in memory, which have no names. Keep one of them, or use files.",
            storeURL: url)
    }

    fileprivate static func unstorableMetadata(_ key: String, _ url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The metadata "\(key)" is of a kind that a property list cannot hold. Use text, a number, a date, data, or lists \
            and dictionaries of them.
            """, storeURL: url)
    }

    fileprivate static func deepMetadata(_ key: String, _ depth: Int, _ url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            "The metadata \"\(key)\" is nested more than \(depth) levels deep. Store it as data, or flatten it.",
            storeURL: url)
    }

    fileprivate static func reservedMetadata(_ key: String, _ url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            "The metadata \"\(key)\" is the store's own and cannot be changed. Use a key that does not begin with NS.",
            storeURL: url)
    }
}
