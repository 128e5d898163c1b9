/// **Value.** What a batch request has changed: keys without rows.
///
/// Keys are listed as far as somebody wants them: whoever asked for ids gets all of them. Contexts, which look each one up,
/// are given no more than `publishedLimit`; beyond it they are told that everything may have changed.
package struct BatchChanges: Sendable {
    /// **Value.** A row that a batch wrote.
    package struct Written: Sendable {
        package let key: ObjectKey
        package let version: Int64

        package init(key: ObjectKey, version: Int64) {
            self.key = key
            self.version = version
        }
    }

    /// More keys than this cost every context more than reading its objects again.
    package static let publishedLimit = 10_000

    package private(set) var inserted: [ObjectKey] = []
    package private(set) var updated: [ObjectKey] = []
    package private(set) var deleted: [ObjectKey] = []
    /// Objects that the request is not for, and that changed with the others: what they derive, or lead to.
    package private(set) var followers: [ObjectKey] = []
    /// How many objects were changed for the request's own sake.
    package private(set) var count = 0
    /// The row written last, by which readers tell that they see the commit; nil if rows have only gone.
    package private(set) var newest: Written?
    /// Whether keys were left out.
    private var isOverflow = false
    private let listsAll: Bool

    /// - Parameter listsAll: whether every key is wanted.
    init(listsAll: Bool) { self.listsAll = listsAll }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// The objects that the request was for, if all keys are listed.
    package var requested: [ObjectKey] { inserted + updated + deleted }

    /// Whether contexts are told the keys, and not that everything may have changed.
    package var isListed: Bool {
        !isOverflow && inserted.count + updated.count + deleted.count + followers.count <= Self.publishedLimit
    }

    mutating func noteInserted(_ keys: some Collection<ObjectKey>) {
        count += keys.count
        list(keys, in: \.inserted)
    }

    /// - Parameter isRequested: whether the request is for these objects, or they follow from others.
    mutating func noteUpdated(_ rows: [Written], isRequested: Bool) {
        if isRequested { count += rows.count }
        list(rows.map(\.key), in: isRequested ? \.updated : \.followers)
        if let last = rows.last { newest = last }
    }

    mutating func noteDeleted(_ keys: [ObjectKey]) {
        count += keys.count
        list(keys, in: \.deleted)
        // What is told of it is no longer true of the commit.
        if let newest, keys.contains(newest.key) { self.newest = nil }
    }

    mutating func noteWritten(_ row: Written) { newest = row }

    /// Keeps what lies in some stores.
    mutating func keepOnly(stores: StoreSet) {
        inserted.removeAll { !stores.contains($0.storeIndex) }
        updated.removeAll { !stores.contains($0.storeIndex) }
        deleted.removeAll { !stores.contains($0.storeIndex) }
        followers.removeAll { !stores.contains($0.storeIndex) }
    }

    private mutating func list(_ keys: some Collection<ObjectKey>, in place: WritableKeyPath<BatchChanges, [ObjectKey]>)
    {
        let room = listsAll ? keys.count : max(0, Self.publishedLimit - self[keyPath: place].count)
        if keys.count > room { isOverflow = true }
        self[keyPath: place].append(contentsOf: keys.prefix(room))
    }
}
