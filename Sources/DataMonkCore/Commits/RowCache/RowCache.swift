import DequeModule

/// **Value.** The rows that contexts share: the newest version of each, and older versions for contexts behind.
///
/// Every answer is for a generation. The answer may always be `unknown`, but it is never wrong.
///
///     table   key -> row or deletion mark, and `since`: unchanged from there until `newest`
///     older   key -> rows of [since, until), used only by contexts behind
///     floor   a key that is not in the table was last changed at `floor` or before
///
/// The floor makes removal safe. A key is removed from the table (evicted, its mark pruned, changed unseen) only by
/// raising the floor to the last change that the entry knew of. A reader whose snapshot is older than the floor may then
/// add only keys that are already in the table. A row added for a key without an entry has therefore been unchanged since
/// the floor, and contexts behind that stand there may see it too.
///
/// Transitions: readers `put`, under the lock of the cache's owner; the leader of the commit queue calls `publish` after
/// COMMIT, before or after the ledger publishes; the thread that raises the oldest standing calls `prune`. Rows that a
/// transaction wrote or read before its COMMIT are never put in.
///
/// A large commit is published in parts, between which the lock is free. Its changes are then at `incoming`, above
/// `newest`: contexts at `newest` find the rows that it has replaced among the older versions, as contexts behind do.
///
/// ## Memory
/// Rows lie in blocks that many rows share, and a single row keeps its whole block in memory. The limit therefore counts
/// bytes of blocks rather than rows, each block once. Beyond `byteLimit`, entries are evicted as if there were too many,
/// and once none is left, older versions.
///
/// ## Invariants
/// 1. `newest <= incoming`; `floor`, and each `since` and `until`, is at most `incoming`.
/// 2. The table contains each key once, where its probe sequence finds it, and at most `capacity` keys.
/// 3. For each key, the intervals of the older versions are not empty, are ascending, and end where the table's entry
///    begins or before.
/// 4. For a key without an entry, no older version ends after the floor.
/// 5. Each deletion mark in the table is in `marks`, which is ascending, so that pruning finds it.
/// 6. `older` is ascending by `until`, and its chains link the versions of each key from newest to oldest.
/// 7. `keptBytes` is the sum that the rows in the table and the older versions reported when they were added, and at most
///    `byteLimit`.
///
/// ## Illegal, and why
/// - publish at a generation that is not newer: commits would overwrite each other in the wrong order.
///
/// All other calls are legal: a put that is too old or too new is refused, and a lookup out of range is `unknown`.
package struct RowCache<Row: CachedRow>: Sendable {
    var table = RowCacheTable<Row>()
    var older: OlderVersions<Row>
    var marks: Deque<DeletionMark> = []
    var floor: Generation
    /// The last generation whose changes are all here.
    var newest: Generation
    /// The generation whose changes are being added; `newest` if there is none.
    var incoming: Generation
    let capacity: Int
    let byteLimit: Int
    /// The bytes kept by the rows in the table and by the older versions.
    package private(set) var keptBytes = 0

    /// **Value.** The cache's knowledge of a row.
    package enum Answer {
        case row(Row)
        /// The row does not exist at that generation.
        case deleted
        case unknown
    }

    struct DeletionMark: Sendable {
        let key: ObjectKey
        let since: Generation
    }

    /// - Parameters:
    ///   - capacity: The maximum number of rows, and also of older versions.
    ///   - byteLimit: The maximum memory that all of them may keep.
    package init(capacity: Int = 65_536, byteLimit: Int = 64 << 20, opened: Generation = .opened) {
        precondition(1...Int(Int32.max) ~= capacity, "A row cache needs room for at least one row")
        self.capacity = capacity
        self.byteLimit = byteLimit
        older = OlderVersions(capacity: capacity)
        floor = opened
        newest = opened
        incoming = opened
    }

    /// The number of keys in the table, including deletion marks.
    package var count: Int { table.count }

    /// The last generation published into the cache.
    package var newestGeneration: Generation { newest }

    /// Returns the row as seen by a context that stands at `generation`. Mutating, because it marks the row as used.
    ///
    /// - Parameter moment: The time before which rows must not have been read or written to be returned.
    package mutating func lookUp(
        _ key: ObjectKey, at generation: Generation, storedSince moment: Int64 = .min
    ) -> Answer {
        // The commit that created `generation` may have changed any row and has not been published to the cache yet.
        guard generation <= newest else { return .unknown }
        if let index = table.find(key) {
            table.noteUse(at: index)
            let entry = table.entries[index]
            if entry.storedAt < moment { return .unknown }
            if entry.since <= generation { return entry.row.map(Answer.row) ?? .deleted }
        }
        guard !older.isEmpty, let version = older.version(of: key, at: generation) else { return .unknown }
        return version.row.map(Answer.row) ?? .deleted
    }

    /// Adds a row that a reader found in a snapshot of generation `readAt`.
    ///
    /// An existing row is replaced by the one that was just read: they differ if a program outside of the process has
    /// written.
    ///
    /// - Returns: `true` if contexts at `readAt` now find the row here. The row is refused if the key has changed since
    ///   then, or may have.
    @discardableResult
    package mutating func put(
        _ row: Row, for key: ObjectKey, readAt generation: Generation, now: Int64 = .min
    ) -> Bool {
        // A snapshot may contain a commit that is not published yet, whose rows must not be visible to contexts at
        // `newest`.
        guard generation <= newest else { return false }
        if let index = table.find(key) {
            let since = table.entries[index].since
            guard since <= generation else { return false }
            if table.entries[index].row != nil { replace(at: index, row: row, since: since, now: now) }
            return keepWithinLimit(key)
        }
        if table.count == capacity { evictOne() }
        // Checked after the eviction, which may have raised the floor.
        guard generation >= floor else { return false }
        keep(row)
        table.add(RowCacheEntry(key: key, row: row, since: floor, storedAt: now))
        return keepWithinLimit(key)
    }

    /// Removes everything that contexts standing at `oldestStanding` or later do not need.
    package mutating func prune(oldestStanding: Generation) {
        while let end = older.firstEnd, end <= oldestStanding { removeFirstOlderVersion() }
        while let mark = marks.first, mark.since <= oldestStanding { removeFirstMark() }
    }

    /// Removes all rows, because the stores changed in a way that no commit described.
    package mutating func removeAll() {
        for entry in table.entries { drop(entry.row) }
        table = RowCacheTable()
        while !older.isEmpty { removeFirstOlderVersion() }
        marks.removeAll()
        floor = incoming
    }

    /// Removes the row of a key, which changed in a way that no commit described. A reader that already has its snapshot
    /// may still add the old row.
    package mutating func remove(_ key: ObjectKey) {
        if let index = table.find(key), table.entries[index].row != nil { forget(at: index) }
    }

    mutating func removeFirstMark() {
        let mark = marks.removeFirst()
        guard let index = table.find(mark.key) else { return }
        let entry = table.entries[index]
        // The key may have been inserted again since.
        guard entry.row == nil, entry.since == mark.since else { return }
        forget(at: index)
    }

    mutating func evictOne() {
        if let index = table.victim() { forget(at: index) }
    }

    /// Removes an entry from the table, and raises the floor to the last change that the entry knew of.
    private mutating func forget(at index: Int) {
        floor = max(floor, table.entries[index].since)
        remove(at: index)
    }
}

/// The rows that are kept, and their memory.
extension RowCache {
    mutating func keep(_ row: Row?) { keptBytes += row?.enterCache() ?? 0 }

    mutating func drop(_ row: Row?) { keptBytes -= row?.leaveCache() ?? 0 }

    mutating func replace(at index: Int, row: Row?, since: Generation, now: Int64) {
        keep(row)
        drop(table.entries[index].row)
        table.replace(at: index, row: row, since: since, storedAt: now)
    }

    mutating func remove(at index: Int) {
        drop(table.entries[index].row)
        table.remove(at: index)
    }

    mutating func appendOlderVersion(_ key: ObjectKey, row: Row?, since: Generation, until: Generation) {
        if older.isFull { removeFirstOlderVersion() }
        keep(row)
        older.append(key, row: row, since: since, until: until)
    }

    mutating func removeFirstOlderVersion() { drop(older.removeFirst()) }

    /// Evicts until the limit is met. Each evicted row was added by a call of its own, which pays for the eviction.
    mutating func keepWithinLimit() {
        while keptBytes > byteLimit, table.count > 0 { evictOne() }
        while keptBytes > byteLimit, !older.isEmpty { removeFirstOlderVersion() }
    }

    /// Evicts until the limit is met. Returns `true` if the key is still there.
    private mutating func keepWithinLimit(_ key: ObjectKey) -> Bool {
        if keptBytes <= byteLimit { return true }
        keepWithinLimit()
        return table.find(key) != nil
    }
}
