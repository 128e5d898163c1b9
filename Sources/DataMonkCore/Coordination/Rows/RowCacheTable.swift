/// **Value.** What the row cache's table holds for a key.
struct RowCacheEntry<Row: CachedRow>: Sendable {
    let key: ObjectKey
    /// The row; nil for a deletion mark.
    var row: Row?
    /// It has been so from here until now.
    var since: Generation
    /// When the row was read or written, on the clock of whoever owns the cache.
    var storedAt: Int64
    /// Looked up since the clock's hand last passed.
    var isUsed = false
}

/// **Value.** The row cache's table: one probe for a hit in the common case, no allocation an entry.
///
///     keys        [   | 17 |   | 42 | 8 |   ]     open addressing, a power of two of places, at most half taken
///     positions   [   |  0 |   |  2 | 1 |   ]     where the place's key is among the entries
///     entries     [ 17 | 8 | 42 ]                 no gaps
///
/// A key is at its home place or behind it, with no free place between: removing closes the gap by moving later keys
/// back, so there are no tombstones and a search ends at the first free place. A removed entry's position goes to the
/// last one.
///
/// The clock's hand goes round the entries, not the places: it would empty the places behind it and leave those ahead
/// nearly full (tried: an eviction took 1.5 µs). New entries start unused: rows that are read once leave before rows that are
/// read again.
struct RowCacheTable<Row: CachedRow>: Sendable {
    /// Raw values of the keys; 0, which no key has, marks a free place.
    private var keys: ContiguousArray<UInt64>
    private var positions: ContiguousArray<UInt32>
    private(set) var entries: ContiguousArray<RowCacheEntry<Row>> = []
    /// How far a hash is shifted to leave the number of a place.
    private var shift: UInt64
    /// The position of the entry that the clock looks at next.
    private var hand = 0

    private static var firstPlaces: Int { 16 }

    init() {
        keys = ContiguousArray(repeating: 0, count: Self.firstPlaces)
        positions = ContiguousArray(repeating: 0, count: Self.firstPlaces)
        shift = UInt64(64 - Self.firstPlaces.trailingZeroBitCount)
    }

    var count: Int { entries.count }

    /// The position of the key's entry.
    func find(_ key: ObjectKey) -> Int? {
        place(of: key).map { Int(positions[$0]) }
    }

    mutating func noteUse(at position: Int) {
        if !entries[position].isUsed { entries[position].isUsed = true }
    }

    mutating func replace(at position: Int, row: Row?, since: Generation, storedAt: Int64) {
        entries[position].row = row
        entries[position].since = since
        entries[position].storedAt = storedAt
    }

    /// Adds a key that the table does not hold.
    mutating func add(_ entry: consuming RowCacheEntry<Row>) {
        precondition(entry.key.rawValue != 0, "Zero is no object's key")
        reserve(1)
        insert(entry.key.rawValue, UInt32(truncatingIfNeeded: count))
        entries.append(entry)
    }

    /// Makes room for so many more keys.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if (count &+ more) &* 2 > keys.count { grow(toHold: count &+ more) }
    }

    mutating func remove(at position: Int) {
        if let place = place(of: entries[position].key) { free(place) }
        let last = entries.removeLast()
        guard position < entries.count else { return }
        entries[position] = last
        if let place = place(of: last.key) { positions[place] = UInt32(truncatingIfNeeded: position) }
    }

    /// The position of the entry that the clock gives up next, if there is any.
    mutating func victim() -> Int? {
        if entries.isEmpty { return nil }
        while true {
            if hand >= entries.count { hand = 0 }
            let position = hand
            hand &+= 1
            if !entries[position].isUsed { return position }
            entries[position].isUsed = false
        }
    }

    private func place(of key: ObjectKey) -> Int? {
        var place = home(of: key.rawValue)
        let mask = keys.count &- 1
        while keys[place] != 0 {
            if keys[place] == key.rawValue { return place }
            place = (place &+ 1) & mask
        }
        return nil
    }

    private func home(of key: UInt64) -> Int {
        // Fibonacci hashing: primary keys that follow each other spread over all places.
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    private mutating func insert(_ key: UInt64, _ position: UInt32) {
        var place = home(of: key)
        let mask = keys.count &- 1
        while keys[place] != 0 { place = (place &+ 1) & mask }
        keys[place] = key
        positions[place] = position
    }

    private mutating func free(_ place: Int) {
        let mask = keys.count &- 1
        var gap = place
        var next = (gap &+ 1) & mask
        while keys[next] != 0 {
            // A key may move back into the gap unless its home lies behind the gap.
            let distance = (next &- home(of: keys[next])) & mask
            if distance >= (next &- gap) & mask {
                keys[gap] = keys[next]
                positions[gap] = positions[next]
                gap = next
            }
            next = (next &+ 1) & mask
        }
        keys[gap] = 0
    }

    @inline(never)
    private mutating func grow(toHold count: Int) {
        let (oldKeys, oldPositions) = (keys, positions)
        var places = oldKeys.count
        while count * 2 > places { places *= 2 }
        keys = ContiguousArray(repeating: 0, count: places)
        positions = ContiguousArray(repeating: 0, count: places)
        shift = UInt64(64 - places.trailingZeroBitCount)
        entries.reserveCapacity(places / 2)
        // The entries stay where they are, and are not looked at: a copy of one is a reference counted.
        for place in oldKeys.indices where oldKeys[place] != 0 { insert(oldKeys[place], oldPositions[place]) }
    }
}
