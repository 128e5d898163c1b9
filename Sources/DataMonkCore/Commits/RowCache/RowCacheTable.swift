/// **Value.** The entry of the row cache's table for a key.
struct RowCacheEntry<Row: CachedRow>: Sendable {
    let key: ObjectKey
    /// The row; `nil` for a deletion mark.
    var row: Row?
    /// The generation since which it has been unchanged.
    var since: Generation
    /// The time at which the row was read or written, on the clock of the cache's owner.
    var storedAt: Int64
    /// Indicates whether it has been looked up since the clock's hand last passed.
    var isUsed = false
}

/// **Value.** The table of the row cache: usually a single probe for a hit, and no allocation per entry.
///
///     keys        [   | 17 |   | 42 | 8 |   ]     open addressing, a power of two of places, at most half of them taken
///     positions   [   |  0 |   |  2 | 1 |   ]     the index in `entries` of the key at this place
///     entries     [ 17 | 8 | 42 ]                 no gaps
///
/// A key is at its home place or after it, with no free place in between: removal closes the gap by moving later keys
/// back, so that there are no tombstones and a search ends at the first free place. The position of a removed entry is
/// taken by the last one.
///
/// The hand of the clock moves over the entries, not the places: over the places, it would empty those behind it and
/// leave those ahead nearly full (tried: an eviction took 1.5 µs). New entries start as unused: rows that are read once
/// are evicted before rows that are read again.
struct RowCacheTable<Row: CachedRow>: Sendable {
    /// The raw values of the keys; 0, which is not a key, marks a free place.
    private var keys: ContiguousArray<UInt64>
    private var positions: ContiguousArray<UInt32>
    private(set) var entries: ContiguousArray<RowCacheEntry<Row>> = []
    /// The number of bits by which a hash is shifted to yield the number of a place.
    private var shift: UInt64
    /// The position of the entry that the clock examines next.
    private var hand = 0

    private static var firstPlaces: Int { 16 }

    init() {
        keys = ContiguousArray(repeating: 0, count: Self.firstPlaces)
        positions = ContiguousArray(repeating: 0, count: Self.firstPlaces)
        shift = UInt64(64 - Self.firstPlaces.trailingZeroBitCount)
    }

    var count: Int { entries.count }

    /// Returns the position of the key's entry.
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

    /// Adds a key that is not in the table.
    mutating func add(_ entry: consuming RowCacheEntry<Row>) {
        precondition(entry.key.rawValue != 0, "Zero is not a valid object key")
        reserve(1)
        insert(entry.key.rawValue, position: UInt32(truncatingIfNeeded: count))
        entries.append(entry)
    }

    /// Reserves space for `more` additional keys.
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

    /// Returns the position of the entry that the clock evicts next, if there is any.
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
        // Fibonacci hashing: consecutive primary keys are spread over all places.
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    private mutating func insert(_ key: UInt64, position: UInt32) {
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
            // A key may move back into the gap unless its home is after the gap.
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
        // The entries stay where they are and are not accessed: copying one would count a reference.
        for place in oldKeys.indices where oldKeys[place] != 0 { insert(oldKeys[place], position: oldPositions[place]) }
    }
}
