/// **Value.** What the row cache's table holds for a key.
struct RowCacheEntry<Row: Sendable>: Sendable {
    /// The row; nil for a deletion mark.
    var row: Row?
    /// It has been so from here until now.
    var since: Generation
    /// Looked up since the clock's hand last passed.
    var isUsed = false
}

/// **Value.** The row cache's open-addressing table: one probe for a hit in the common case, no allocation an entry.
///
/// Keys and entries lie in two arrays of a power of two of places, at most half of them taken. A key is at its home
/// place or behind it, with no gap between: removing closes the gap by moving later keys back, so there are no
/// tombstones and a search ends at the first free place.
///
/// The clock's hand goes round the places. New entries start unused: rows that are read once leave before rows that
/// are read again.
struct RowCacheTable<Row: Sendable>: Sendable {
    /// Raw values of the keys; 0, which no key has, marks a free place.
    private(set) var keys: ContiguousArray<UInt64>
    private(set) var entries: ContiguousArray<RowCacheEntry<Row>>
    private(set) var count = 0
    /// How far a hash is shifted to leave the number of a place.
    private var shift: UInt64
    private var hand = 0

    private static var firstPlaces: Int { 16 }

    init() {
        keys = ContiguousArray(repeating: 0, count: Self.firstPlaces)
        entries = ContiguousArray(repeating: Self.free, count: Self.firstPlaces)
        shift = UInt64(64 - Self.firstPlaces.trailingZeroBitCount)
    }

    private static var free: RowCacheEntry<Row> { RowCacheEntry(row: nil, since: .opened) }

    /// Where the key is.
    func find(_ key: ObjectKey) -> Int? {
        var place = home(of: key.rawValue)
        let mask = keys.count &- 1
        while keys[place] != 0 {
            if keys[place] == key.rawValue { return place }
            place = (place &+ 1) & mask
        }
        return nil
    }

    mutating func noteUse(at place: Int) {
        if !entries[place].isUsed { entries[place].isUsed = true }
    }

    mutating func replace(at place: Int, with entry: RowCacheEntry<Row>) {
        let isUsed = entries[place].isUsed
        entries[place] = entry
        entries[place].isUsed = isUsed
    }

    /// Adds a key that the table does not hold.
    mutating func set(_ key: ObjectKey, _ entry: RowCacheEntry<Row>) {
        precondition(key.rawValue != 0, "Zero is no object's key")
        if (count &+ 1) &* 2 > keys.count { grow() }
        insert(key.rawValue, entry)
        count &+= 1
    }

    mutating func remove(at place: Int) {
        let mask = keys.count &- 1
        var gap = place
        var next = (gap &+ 1) & mask
        while keys[next] != 0 {
            // A key may move back into the gap unless its home lies behind the gap.
            let distance = (next &- home(of: keys[next])) & mask
            if distance >= (next &- gap) & mask {
                keys[gap] = keys[next]
                entries.swapAt(gap, next)
                gap = next
            }
            next = (next &+ 1) & mask
        }
        keys[gap] = 0
        entries[gap] = Self.free
        count &-= 1
    }

    /// The entry that the clock gives up next, if there is any.
    mutating func victim() -> Int? {
        if count == 0 { return nil }
        while true {
            let place = hand
            hand = (hand &+ 1) & (keys.count &- 1)
            if keys[place] == 0 { continue }
            if !entries[place].isUsed { return place }
            entries[place].isUsed = false
        }
    }

    private func home(of key: UInt64) -> Int {
        // Fibonacci hashing: primary keys that follow each other spread over all places.
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    private mutating func insert(_ key: UInt64, _ entry: RowCacheEntry<Row>) {
        var place = home(of: key)
        let mask = keys.count &- 1
        while keys[place] != 0 { place = (place &+ 1) & mask }
        keys[place] = key
        entries[place] = entry
    }

    private mutating func grow() {
        let oldKeys = keys
        let oldEntries = entries
        keys = ContiguousArray(repeating: 0, count: oldKeys.count * 2)
        entries = ContiguousArray(repeating: Self.free, count: oldKeys.count * 2)
        shift -= 1
        hand = 0
        for (place, key) in oldKeys.enumerated() where key != 0 { insert(key, oldEntries[place]) }
    }
}
