/// **Value.** A set of slots of one row. The first 64 need no additional memory.
package struct SlotSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    package init() {}

    package init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    package mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 << UInt64(slot)
            return
        }
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }

    package mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else if slot / 64 - 1 < high.count {
            high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        }
    }

    package func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    package func isSubset(of other: SlotSet) -> Bool {
        if low & ~other.low != 0 { return false }
        return high.indices.allSatisfy { index in
            high[index] & ~(index < other.high.count ? other.high[index] : 0) == 0
        }
    }

    /// Returns the slots of both.
    package func union(_ other: SlotSet) -> SlotSet {
        var all = self
        other.forEach { all.insert($0) }
        return all
    }

    /// Returns whether both have a slot in common.
    package func intersects(_ other: SlotSet) -> Bool {
        low & other.low != 0 || zip(high, other.high).contains { $0 & $1 != 0 }
    }

    /// The slots, ascending.
    package func forEach(_ body: (Int) throws -> Void) rethrows {
        var word = low
        while word != 0 {
            try body(word.trailingZeroBitCount)
            word &= word - 1
        }
        for index in high.indices {
            word = high[index]
            while word != 0 {
                try body((index + 1) * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
    }
}
