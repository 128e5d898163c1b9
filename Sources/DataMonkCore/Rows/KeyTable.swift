/// **Confined.** A hash table from non-zero words to non-zero words: identity maps stand on it.
///
/// Open addressing with linear probing over one allocation of (key, value) pairs, at most half full; removal shifts
/// the pairs behind it back, so there are no tombstones and a miss stays short. The state sits behind a pointer: no
/// exclusivity checks, no retain of a buffer on each look-up (an order of magnitude against `Dictionary`, measured).
package struct KeyTable {
    @usableFromInline struct Pair {
        @usableFromInline var key: UInt64
        @usableFromInline var value: UInt
        @inlinable init(key: UInt64, value: UInt) {
            self.key = key
            self.value = value
        }
    }

    @usableFromInline var pairs: UnsafeMutablePointer<Pair>
    /// Capacity - 1; the capacity is a power of two.
    @usableFromInline var mask: Int
    @usableFromInline package private(set) var count = 0

    package init(minimumCapacity: Int = 8) {
        var capacity = 16
        while capacity < minimumCapacity * 2 { capacity *= 2 }
        mask = capacity - 1
        pairs = Self.allocate(capacity)
    }

    /// Frees the memory. Whoever owns the table calls it once, last.
    package func deallocate() { pairs.deallocate() }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Pair> {
        let pairs = UnsafeMutablePointer<Pair>.allocate(capacity: capacity)
        pairs.initialize(repeating: Pair(key: 0, value: 0), count: capacity)
        return pairs
    }

    /// Where the search for `key` starts: the high bits of a multiplication spread sequential keys well.
    @inlinable
    func home(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 20) & mask
    }

    /// The value of `key`, 0 if there is none.
    @inlinable
    package func find(_ key: UInt64) -> UInt {
        var index = home(key)
        while true {
            let pair = pairs[index]
            if pair.key == key { return pair.value }
            if pair.key == 0 { return 0 }
            index = (index &+ 1) & mask
        }
    }

    /// Sets the value of `key`.
    @inlinable
    package mutating func set(_ key: UInt64, _ value: UInt) {
        var index = home(key)
        while pairs[index].key != 0 {
            if pairs[index].key == key {
                pairs[index].value = value
                return
            }
            index = (index &+ 1) & mask
        }
        pairs[index] = Pair(key: key, value: value)
        count &+= 1
        if count &* 2 > mask { grow() }
    }

    @usableFromInline
    mutating func grow() {
        let old = pairs
        let oldCapacity = mask + 1
        mask = oldCapacity * 2 - 1
        pairs = Self.allocate(mask + 1)
        for index in 0..<oldCapacity where old[index].key != 0 {
            var place = home(old[index].key)
            while pairs[place].key != 0 { place = (place + 1) & mask }
            pairs[place] = old[index]
        }
        old.deallocate()
    }

    /// Removes `key`; does nothing if it is not there.
    package mutating func remove(_ key: UInt64) {
        var hole = home(key)
        while pairs[hole].key != key {
            if pairs[hole].key == 0 { return }
            hole = (hole + 1) & mask
        }
        var index = hole
        while true {
            index = (index + 1) & mask
            if pairs[index].key == 0 { break }
            // A pair may move into the hole unless its home lies behind the hole on the way to it.
            let start = home(pairs[index].key)
            if (index - start) & mask >= (index - hole) & mask {
                pairs[hole] = pairs[index]
                hole = index
            }
        }
        pairs[hole] = Pair(key: 0, value: 0)
        count -= 1
    }

    /// Removes everything and keeps the memory.
    package mutating func removeAll() {
        pairs.update(repeating: Pair(key: 0, value: 0), count: mask + 1)
        count = 0
    }
}

@available(*, unavailable)
extension KeyTable: Sendable {}
