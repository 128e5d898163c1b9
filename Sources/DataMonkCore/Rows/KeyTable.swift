/// **Confined.** A hash table from non-zero words to non-zero words: identity maps stand on it.
///
/// Open addressing with linear probing over one allocation of groups, each for four neighbouring keys:
///
///     | n + 1 | value | value | value | value |      of the keys 4n to 4n + 3; 0 for a value that is not there
///     |   0   |   -   |   -   |   -   |   -   |      a free group
///
/// Keys that follow each other, as fetches and insertions bring them, lie together: one step of growing for four of them,
/// and one miss of the processor's cache for many more, as a group is first looked for beside its seven neighbours. If
/// another one stands there, the search goes on from a place of its own, from group to group; at most half of them are
/// taken, so it stays short. A group keeps its place when its last value goes, for keys come back in company; growing
/// leaves such groups out, and is no growing where they were many. The state sits behind a pointer: no exclusivity checks,
/// no retain of a buffer on each look-up (an order of magnitude against `Dictionary`, measured).
package struct KeyTable {
    @usableFromInline var words: UnsafeMutablePointer<UInt>
    /// Groups - 1; their number is a power of two.
    @usableFromInline var mask: Int
    /// How many keys have values.
    @usableFromInline package private(set) var count = 0
    /// How many groups are not free.
    @usableFromInline private(set) var taken = 0

    /// The words of a group: its number, and a value for each of its keys.
    @inlinable static var groupSize: Int { 5 }
    private static var smallest: Int { 8 }

    /// - Parameter minimumCapacity: for so many keys that mostly follow each other the table need not grow.
    package init(minimumCapacity: Int = 0) {
        var groups = Self.smallest
        while groups < minimumCapacity / 2 { groups *= 2 }
        mask = groups - 1
        words = Self.allocate(groups)
    }

    /// Frees the memory. Whoever owns the table calls it once, last.
    package func deallocate() { words.deallocate() }

    private static func allocate(_ groups: Int) -> UnsafeMutablePointer<UInt> {
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: groups * groupSize)
        words.initialize(repeating: 0, count: groups * groupSize)
        return words
    }

    /// What a group says of itself.
    @inlinable
    static func mark(_ key: UInt64) -> UInt { UInt(truncatingIfNeeded: key &>> 2) &+ 1 }

    /// Where a key's value stands in its group.
    @inlinable
    static func lane(_ key: UInt64) -> Int { 1 &+ Int(truncatingIfNeeded: key & 3) }

    /// Where a number points: the high bits of a multiplication spread sequential ones well.
    @inlinable
    func place(_ number: UInt) -> Int { Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> 20) & mask }

    /// The group of a mark, or the free one where it would stand.
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

    /// The value of `key`, 0 if there is none.
    @inlinable @inline(__always)
    package func find(_ key: UInt64) -> UInt { group(Self.mark(key))[Self.lane(key)] }

    /// Sets the value of `key`.
    @inlinable
    package mutating func set(_ key: UInt64, _ value: UInt) {
        let mark = Self.mark(key)
        let lane = Self.lane(key)
        let group = group(mark)
        if group[0] == 0 { return add(mark, lane, value, at: group) }
        if group[lane] == 0 { count &+= 1 }
        group[lane] = value
    }

    @usableFromInline
    mutating func add(_ mark: UInt, _ lane: Int, _ value: UInt, at free: UnsafeMutablePointer<UInt>) {
        free[0] = mark
        free[lane] = value
        count &+= 1
        taken &+= 1
        if taken &* 2 > mask { grow() }
    }

    /// Makes room, and leaves groups without values out.
    private mutating func grow() {
        let (old, oldGroups) = (words, mask + 1)
        var living = 0
        for index in 0..<oldGroups where Self.isLiving(old + index &* Self.groupSize) { living += 1 }
        var groups = Self.smallest
        // A quarter full, so that the work is spread over as many new groups.
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

    private static func isLiving(_ group: UnsafeMutablePointer<UInt>) -> Bool {
        group[1] | group[2] | group[3] | group[4] != 0
    }

    /// Removes `key`; does nothing if it is not there.
    package mutating func remove(_ key: UInt64) {
        let group = group(Self.mark(key))
        if group[Self.lane(key)] == 0 { return }
        group[Self.lane(key)] = 0
        count -= 1
    }
}

@available(*, unavailable)
extension KeyTable: Sendable {}
