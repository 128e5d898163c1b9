/// **Value.** A set of a coordinator's stores, by index: a key can hold 63 of them. Iterates in ascending order.
struct StoreSet: Sendable, Equatable, Sequence, ExpressibleByArrayLiteral {
    private var bits: UInt64 = 0

    init(arrayLiteral stores: Int...) {
        for store in stores { insert(store) }
    }

    /// - Precondition: The index is valid in a key.
    mutating func insert(_ store: Int) {
        precondition(0..<64 ~= store, "A key cannot represent a store at this position")
        bits |= 1 &<< UInt64(truncatingIfNeeded: store)
    }

    func contains(_ store: Int) -> Bool { 0..<64 ~= store && bits & (1 &<< UInt64(truncatingIfNeeded: store)) != 0 }

    func isSubset(of other: StoreSet) -> Bool { bits & ~other.bits == 0 }
    func isDisjoint(with other: StoreSet) -> Bool { bits & other.bits == 0 }

    func makeIterator() -> Iterator { Iterator(bits: bits) }

    /// **Value.** The remaining indexes.
    struct Iterator: IteratorProtocol {
        fileprivate var bits: UInt64

        mutating func next() -> Int? {
            if bits == 0 { return nil }
            defer { bits &= bits &- 1 }
            return bits.trailingZeroBitCount
        }
    }
}
