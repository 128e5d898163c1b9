/// **Confined.** A hash table from non-zero words to non-zero words, on which identity maps are built.
///
/// It uses open addressing with linear probing over one allocation of groups, each for four consecutive keys:
///
///     | n + 1 | value | value | value | value |      of the keys 4n to 4n + 3; 0 for a missing value
///     |   0   |   -   |   -   |   -   |   -   |      a free group
///
/// Consecutive keys, which fetches and insertions produce, are adjacent in memory: growing moves four of them in one step,
/// and many more share a cache miss, since a group is first looked up next to its seven neighbours. If another group is
/// there, the search continues from a position of the group's own, from group to group; at most half of the groups are
/// taken, so the search stays short. A group keeps its position when its last value is removed, because keys tend to return
/// together. Growing drops such groups, and if there were many, the table does not become larger. The state is behind a
/// pointer, so a lookup needs no exclusivity checks and no retain of a buffer (an order of magnitude faster than
/// `Dictionary`, measured).
package struct KeyTable {
    @usableFromInline var words: UnsafeMutablePointer<UInt>
    /// The number of groups minus 1. The number of groups is a power of two.
    @usableFromInline var mask: Int
    /// The number of keys with values.
    @usableFromInline package private(set) var count = 0
    /// The number of groups that are not free.
    @usableFromInline private(set) var taken = 0

    /// The number of words in a group: its mark, and a value for each of its keys.
    @inlinable static var groupSize: Int { 5 }
    private static var smallest: Int { 8 }

    /// - Parameter minimumCapacity: The number of mostly consecutive keys that the table can hold without growing.
    package init(minimumCapacity: Int = 0) {
        var groups = Self.smallest
        while groups < minimumCapacity / 2 { groups *= 2 }
        mask = groups - 1
        words = Self.allocate(groups)
    }

    /// Frees the memory. The owner of the table calls this method once, at the end.
    package func deallocate() { words.deallocate() }

    private static func allocate(_ groups: Int) -> UnsafeMutablePointer<UInt> {
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: groups * groupSize)
        words.initialize(repeating: 0, count: groups * groupSize)
        return words
    }

    /// Returns the mark of a key's group.
    @inlinable
    static func mark(_ key: UInt64) -> UInt { UInt(truncatingIfNeeded: key &>> 2) &+ 1 }

    /// Returns the position of a key's value in its group.
    @inlinable
    static func lane(_ key: UInt64) -> Int { 1 &+ Int(truncatingIfNeeded: key & 3) }

    /// Returns the position for a number: the high bits of a multiplication distribute sequential numbers well.
    @inlinable
    func place(_ number: UInt) -> Int { Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> 20) & mask }

    /// Returns the group with a mark, or the free group in its position.
    @inlinable
    func group(_ mark: UInt) -> UnsafeMutablePointer<UInt> {
        let near = words + (place(mark &>> 3) & ~7 | Int(truncatingIfNeeded: mark & 7)) &* Self.groupSize
        if near[0] == mark || near[0] == 0 { return near }
        var index = place(mark)
        while true {
            let group = words + index &* Self.groupSize
            if group[0] == mark || group[0] == 0 { return group }
            index = (index &+ 1) & mask
        }
    }

    /// Returns the value of `key`, or 0 if there is none.
    @inlinable @inline(__always)
    package func find(_ key: UInt64) -> UInt { group(Self.mark(key))[Self.lane(key)] }

    @inlinable
    package mutating func set(_ key: UInt64, to value: UInt) {
        let mark = Self.mark(key)
        let lane = Self.lane(key)
        let group = group(mark)
        if group[0] == 0 { return add(mark, lane: lane, value: value, at: group) }
        if group[lane] == 0 { count &+= 1 }
        group[lane] = value
    }

    /// Gives `key` a value if it has none, so that the table is a set. Returns `true` if it had none.
    package mutating func insert(_ key: UInt64) -> Bool {
        if find(key) != 0 { return false }
        set(key, to: 1)
        return true
    }

    @usableFromInline
    mutating func add(_ mark: UInt, lane: Int, value: UInt, at free: UnsafeMutablePointer<UInt>) {
        free[0] = mark
        free[lane] = value
        count &+= 1
        taken &+= 1
        if taken &* 2 > mask { rebuild() }
    }

    /// Rebuilds the table, at most a quarter full, with the groups that have values.
    private mutating func rebuild() {
        let (old, oldGroups) = (words, mask + 1)
        var living = 0
        for index in 0..<oldGroups where Self.isLiving(old + index &* Self.groupSize) { living += 1 }
        var groups = Self.smallest
        // A quarter full, so that the cost is spread over as many new groups.
        while groups < living &* 4 { groups *= 2 }
        mask = groups - 1
        taken = living
        words = Self.allocate(groups)
        for index in 0..<oldGroups {
            let group = old + index &* Self.groupSize
            if Self.isLiving(group) { self.group(group[0]).update(from: group, count: Self.groupSize) }
        }
        old.deallocate()
    }

    /// Makes the table smaller if most of its groups have lost their values.
    package mutating func shrink() {
        if mask >= 64 * Self.smallest, count < taken / 2 { rebuild() }
    }

    private static func isLiving(_ group: UnsafeMutablePointer<UInt>) -> Bool {
        group[1] | group[2] | group[3] | group[4] != 0
    }

    package mutating func remove(_ key: UInt64) {
        let group = group(Self.mark(key))
        if group[Self.lane(key)] == 0 { return }
        group[Self.lane(key)] = 0
        count -= 1
    }
}

@available(*, unavailable)
extension KeyTable: Sendable {}
