public import Foundation
import Synchronization

/// The metadata of stores: that of the store itself (its type, UUID and version), and that of the application.
///
/// New metadata waits in `shared` for the next commit, which writes it in the store's transaction: like an object, it is
/// stored completely or not at all.
extension PersistentStoreCoordinator {
    /// Returns the metadata of a store: the values set last, saved or not, and the store's own keys, which begin with
    /// `NS`.
    ///
    ///     let known = try stack.coordinator.metadata(ofStoreAt: url)["lastImport"]
    ///
    /// - Parameter url: The location of the store; `nil` for the store in memory.
    /// - Throws: ``StoreError`` if there is no such store, or it cannot be read.
    /// - Complexity: One SELECT.
    public func metadata(ofStoreAt url: URL? = nil) throws -> [String: ManagedValue] {
        let index = try storeIndex(at: url)
        let (store, waiting) = shared.withLock { ($0.stores[index], $0.waitingMetadata[index]) }
        let saved = try store.metadata()
        guard let waiting else { return saved }
        return saved.filter { StoreMetadataKey.isStoresOwn($0.key) }.merging(waiting) { own, _ in own }
    }

    /// Replaces the application's metadata of a store. It is written to disk by the next save of any context, even one
    /// without changes.
    ///
    ///     var metadata = try coordinator.metadata(ofStoreAt: url)
    ///     metadata["lastImport"] = .date(Date())
    ///     try coordinator.setMetadata(metadata, ofStoreAt: url)
    ///     try context.save()
    ///
    /// - Parameters:
    ///   - metadata: Strings, numbers, Boolean values, dates, data, and arrays and dictionaries of them. The store's own
    ///     keys may be omitted; their values are kept.
    ///   - url: The location of the store; `nil` for the store in memory.
    /// - Throws: ``StoreError`` for a value of another type, for a different value of one of the store's own keys, for a
    ///   read-only store, if there is no such store, and with the code `wouldDeadlock` inside a commit of the stack. In these
    ///   cases, nothing has been set.
    public func setMetadata(_ metadata: [String: ManagedValue], ofStoreAt url: URL? = nil) throws {
        try requireOutsideCommit()
        let index = try storeIndex(at: url)
        let store = stores[index]
        // It would wait forever, and make every save fail.
        if store.isReadOnly { throw StoreError.openedReadOnly(store.url) }
        try metadata.requireStorable(over: store.metadata(), url)
        shared.withLock { shared in
            shared.waitingMetadata[index] = metadata.filter { !StoreMetadataKey.isStoresOwn($0.key) }
        }
        isMetadataWaiting.store(true, ordering: .releasing)
    }

    /// The metadata that waits for the next commit, by store.
    var waitingMetadata: [Int: [String: ManagedValue]] {
        if !isMetadataWaiting.load(ordering: .acquiring) { return [:] }
        return shared.withLock { $0.waitingMetadata }
    }

    /// Removes saved metadata from the waiting values, unless they were set again since then.
    func metadataWasSaved(_ saved: [String: ManagedValue], in store: Int) {
        shared.withLock { shared in
            if shared.waitingMetadata[store] == saved { shared.waitingMetadata[store] = nil }
            isMetadataWaiting.store(!shared.waitingMetadata.isEmpty, ordering: .releasing)
        }
    }

    /// Returns the index of the store at a location, or of the one in memory.
    package func storeIndex(at url: URL?) throws -> Int {
        let url = url?.standardizedFileURL
        let stores = stores
        let places = stores.indices.filter { index in
            !(stores[index] is RemovedStore) && stores[index].url?.standardizedFileURL == url
        }
        guard let first = places.first, places.count == 1 else {
            throw places.isEmpty ? StoreError.noStore(at: url, among: stores) : .ambiguousStores(places.count)
        }
        return first
    }
}

extension [String: ManagedValue] {
    /// Throws an error if the dictionary cannot be a store's metadata.
    ///
    /// - Parameter current: The current metadata of the store.
    package func requireStorable(over current: [String: ManagedValue], _ url: URL?) throws {
        for (key, value) in self {
            if value.isNested(deeperThan: Self.maximumDepth) {
                throw StoreError.deepMetadata(key, depth: Self.maximumDepth, in: url)
            }
            if !value.isPropertyList { throw StoreError.unstorableMetadata(key, in: url) }
            if StoreMetadataKey.isStoresOwn(key), current[key] != value {
                throw StoreError.reservedMetadata(key, in: url)
            }
        }
    }
}

extension [String: ManagedValue] {
    /// The maximum depth of metadata; deeper values are refused, because property lists are read and written by
    /// recursion.
    private static var maximumDepth: Int { 100 }
}

extension ManagedValue {
    /// Returns `true` if arrays and dictionaries are nested more deeply than `depth`. Works level by level, without
    /// recursion.
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

    /// Indicates whether a property list can contain the value.
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
    fileprivate static func noStore(at url: URL?, among stores: [any PersistentStore]) -> StoreError {
        let open = stores.filter { !($0 is RemovedStore) }.map { $0.url?.path ?? "in memory" }.joined(separator: ", ")
        return StoreError(
            .operationFailed,
            """
            The stack has no store \(url.map { "at \($0.path)" } ?? "in memory"). Its stores: \
            \(open.isEmpty ? "none" : open). Pass the URL of a store that was added, or nil for the store in memory.
            """,
            storeURL: url)
    }

    fileprivate static func ambiguousStores(_ count: Int) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The stack has \(count) stores in memory, which cannot be told apart by URL. Use a single one, or stores in \
            files.
            """)
    }

    fileprivate static func unstorableMetadata(_ key: String, in url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The value for the metadata key "\(key)" cannot be stored in a property list. Use text, a number, a date, \
            data, or arrays and dictionaries of these.
            """, storeURL: url)
    }

    fileprivate static func deepMetadata(_ key: String, depth: Int, in url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The value for the metadata key "\(key)" is nested more than \(depth) levels deep. Flatten it, or store it \
            as data.
            """,
            storeURL: url)
    }

    fileprivate static func reservedMetadata(_ key: String, in url: URL?) -> StoreError {
        StoreError(
            .operationFailed,
            """
            The metadata key "\(key)" is reserved for the store and cannot be changed. Use a key that does not begin \
            with NS.
            """,
            storeURL: url)
    }
}
