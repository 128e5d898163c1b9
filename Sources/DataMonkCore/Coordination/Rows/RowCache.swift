import DequeModule

/// **Value.** The rows that contexts share: the newest version of each, and older ones for contexts behind.
///
/// Everything it says is of a generation. It may always say `unknown`; it never says what is wrong.
///
///     table   key -> row or deletion mark, and `since`: it has been so from there until `newest`
///     older   key -> rows of [since, until), found only by contexts behind
///     floor   a key that the table does not hold was last changed at `floor` or before
///
/// The floor is what makes forgetting safe. A key leaves the table (evicted, its mark pruned, changed unseen) only by
/// raising the floor to the last change that the entry knew of; a reader whose snapshot is older than the floor may
/// then put nothing in that the table does not hold already. Whatever is put in for a key without entry has therefore
/// been the same since the floor, and contexts behind that stand there may see it too.
///
/// Who moves what: readers `put`, under the lock of whoever owns the cache; the leader of the commit queue calls
/// `publish` after COMMIT and before the ledger publishes; whoever saw the oldest standing rise calls `prune`.
/// Rows that a transaction wrote or read before its COMMIT are never put in.
///
/// ## Memory
/// Rows lie in blocks that many share, and one of them keeps its whole block. So what counts is not rows but the bytes
/// of blocks that the cache keeps, each once; past `byteLimit` entries leave as if there were too many, and when none is
/// left, older versions.
///
/// ## Invariants
/// 1. `floor <= newest`, and no `since` and no `until` is above `newest`.
/// 2. The table holds each key once, where its probe sequence finds it, and at most `capacity` keys.
/// 3. Of one key, the older versions' intervals are not empty, ascend, and end where the table's entry begins or
///    before.
/// 4. Of a key without entry, no older version ends after the floor.
/// 5. Each deletion mark in the table stands in `marks`, which ascends: pruning finds it.
/// 6. `older` ascends by `until`, and its chains link the versions of one key from newest to oldest.
/// 7. `keptBytes` is what the rows in the table and the older versions said on entering, and at most `byteLimit`.
///
/// ## Illegal, and why
/// - publish at a generation that is not newer: commits would overwrite each other in the wrong order.
///
/// Everything else is answered: a put that is too old or too new is refused, a look-up out of range is `unknown`.
package struct RowCache<Row: CachedRow>: Sendable {
    var table = RowCacheTable<Row>()
    var older: OlderVersions<Row>
    var marks: Deque<DeletionMark> = []
    var floor: Generation
    var newest: Generation
    let capacity: Int
    let byteLimit: Int
    /// Of rows in the table and the older versions.
    package private(set) var keptBytes = 0

    /// What the cache knows about a row.
    package enum Answer {
        case row(Row)
        /// It does not exist at that generation.
        case deleted
        case unknown
    }

    struct DeletionMark: Sendable {
        let key: ObjectKey
        let since: Generation
    }

    /// - Parameters:
    ///   - capacity: how many rows are kept; as many older versions at most stand beside them.
    ///   - byteLimit: how much memory all of them may keep.
    package init(capacity: Int = 65_536, byteLimit: Int = 64 << 20, opened: Generation = .opened) {
        precondition(1...Int(Int32.max) ~= capacity, "A row cache needs room for a row, and numbers for all")
        self.capacity = capacity
        self.byteLimit = byteLimit
        older = OlderVersions(capacity: capacity)
        floor = opened
        newest = opened
    }

    /// How many keys the table holds, deletion marks among them.
    package var count: Int { table.count }

    /// The last generation published into the cache.
    package var newestGeneration: Generation { newest }

    /// The row as a context that stands at `generation` sees it. Mutating, for it notes that the row is in use.
    ///
    /// - Parameter moment: rows that were read or written before it do not count.
    package mutating func lookUp(
        _ key: ObjectKey, at generation: Generation, storedSince moment: Int64 = .min
    ) -> Answer {
        // The commit that made `generation` may have changed any row, and has not said so yet.
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

    /// Takes in a row that a reader found in a snapshot of generation `readAt`.
    ///
    /// A row that is there already is replaced by what was just read: they differ where somebody outside of the process
    /// has written.
    ///
    /// - Returns: whether contexts at `readAt` find the row here now. It is refused if the key has changed since
    ///   then, or may have.
    @discardableResult
    package mutating func put(
        _ row: Row, for key: ObjectKey, readAt generation: Generation, now: Int64 = .min
    ) -> Bool {
        // A snapshot may contain a commit that is not published yet; contexts at `newest` must not see its rows.
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

    /// Forgets what nobody needs who stands at `oldestStanding` or later.
    package mutating func prune(oldestStanding: Generation) {
        while let end = older.firstEnd, end <= oldestStanding { removeFirstOlderVersion() }
        while let mark = marks.first, mark.since <= oldestStanding { removeFirstMark() }
    }

    /// Forgets every row: the stores changed in a way that no commit described.
    package mutating func removeAll() {
        for entry in table.entries { drop(entry.row) }
        table = RowCacheTable()
        while !older.isEmpty { removeFirstOlderVersion() }
        marks.removeAll()
        floor = newest
    }

    /// Forgets the row of a key: it changed in a way that no commit described. A reader that has its snapshot already may
    /// still put the old row in.
    package mutating func remove(_ key: ObjectKey) {
        if let index = table.find(key), table.entries[index].row != nil { forget(at: index) }
    }

    mutating func removeFirstMark() {
        let mark = marks.removeFirst()
        guard let index = table.find(mark.key) else { return }
        let entry = table.entries[index]
        // The key may have come back since.
        guard entry.row == nil, entry.since == mark.since else { return }
        forget(at: index)
    }

    mutating func evictOne() {
        if let index = table.victim() { forget(at: index) }
    }

    /// Takes an entry out of the table, raising the floor to what the entry knew.
    private mutating func forget(at index: Int) {
        floor = max(floor, table.entries[index].since)
        remove(at: index)
    }
}

/// What is kept, and how much memory it is.
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

    /// Makes room until the limit is kept. Each row that leaves came by a call of its own, which pays for it.
    mutating func keepWithinLimit() {
        while keptBytes > byteLimit, table.count > 0 { evictOne() }
        while keptBytes > byteLimit, !older.isEmpty { removeFirstOlderVersion() }
    }

    /// As above; whether the key is still there.
    private mutating func keepWithinLimit(_ key: ObjectKey) -> Bool {
        if keptBytes <= byteLimit { return true }
        keepWithinLimit()
        return table.find(key) != nil
    }
}
