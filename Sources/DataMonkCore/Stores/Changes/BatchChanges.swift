/// **Value.** The changes of a batch request: keys without rows.
///
/// Keys are listed as far as they are needed: a caller who asks for ids gets all of them. Contexts, which look up each key,
/// get at most `publishedLimit`; beyond that they are told that everything may have changed.
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

    /// The maximum number of keys given to contexts. More would cost every context more than reading its objects again.
    package static let publishedLimit = 10_000

    package private(set) var inserted: [ObjectKey] = []
    package private(set) var updated: [ObjectKey] = []
    package private(set) var deleted: [ObjectKey] = []
    /// The objects that changed along with the requested ones, through derived attributes or relationships.
    package private(set) var followers: [ObjectKey] = []
    /// The number of objects changed by the request itself.
    package private(set) var count = 0
    /// The number of objects that were inserted.
    package private(set) var insertedCount = 0
    /// The number of objects that a batch insert has found as it would have left them.
    package private(set) var unchangedCount = 0
    /// The row that last got a new version, by which readers recognize that they see the commit, or `nil` if rows were only
    /// deleted.
    package private(set) var newest: Written?
    /// A Boolean value indicating whether keys were left out.
    private var isOverflow = false
    private let listsAll: Bool

    /// - Parameter listsAll: A Boolean value indicating whether every key is needed.
    init(listsAll: Bool) { self.listsAll = listsAll }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && followers.isEmpty }

    /// The objects changed by the request itself, if all keys are listed.
    package var requested: [ObjectKey] { inserted + updated + deleted }

    /// A Boolean value indicating whether contexts are given the keys, rather than told that everything may have changed.
    package var isListed: Bool {
        !isOverflow && inserted.count + updated.count + deleted.count + followers.count <= Self.publishedLimit
    }

    mutating func noteInserted(_ keys: some Collection<ObjectKey>) {
        count += keys.count
        insertedCount += keys.count
        list(keys, in: \.inserted)
    }

    /// - Parameter isRequested: A Boolean value indicating whether the request itself changes these objects, or they
    ///   changed along with others.
    mutating func noteUpdated(_ rows: [Written], isRequested: Bool) {
        if isRequested { count += rows.count }
        list(rows.map(\.key), in: isRequested ? \.updated : \.followers)
        if let last = rows.last { noteWritten(last) }
    }

    /// Records objects whose derived values have changed. Their versions have not.
    mutating func noteFollowers(_ stored: [StoredVersion]) {
        list(stored.filter { $0.row != nil }.map(\.key), in: \.followers)
    }

    mutating func noteDeleted(_ keys: [ObjectKey]) {
        count += keys.count
        list(keys, in: \.deleted)
        // The commit no longer contains that row.
        if let newest, keys.contains(newest.key) { self.newest = nil }
    }

    mutating func noteUnchanged(_ number: Int) { unchangedCount += number }

    mutating func noteWritten(_ row: Written) {
        // A damaged row may have no version, and gets none.
        if row.version > 0 { newest = row }
    }

    /// Keeps only the changes in some stores.
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
