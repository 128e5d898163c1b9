/// **Confined.** Pointers by key, not retained: open addressing with linear probing, keys and values in two flat
/// arrays, Fibonacci hashing, at most half full.
struct OpenTable {
    private static let empty = Int64.min
    private var count = 0
    private var mask: Int
    private var shift: UInt64
    private var keys: UnsafeMutablePointer<Int64>
    private var values: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    init(capacity: Int = 16) {
        mask = capacity - 1
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        keys = .allocate(capacity: capacity)
        keys.initialize(repeating: Self.empty, count: capacity)
        values = .allocate(capacity: capacity)
        values.initialize(repeating: nil, count: capacity)
    }

    func deallocate() {
        keys.deallocate()
        values.deallocate()
    }

    @inline(__always)
    func find(_ key: Int64) -> UnsafeMutableRawPointer? {
        var index = home(key)
        while keys[index] != key {
            if keys[index] == Self.empty { return nil }
            index = (index &+ 1) & mask
        }
        return values[index]
    }

    @inline(__always)
    mutating func insert(_ key: Int64, _ value: UnsafeMutableRawPointer?) {
        if (count &+ 1) &* 2 > mask { grow() }
        var index = home(key)
        while keys[index] != Self.empty && keys[index] != key { index = (index &+ 1) & mask }
        if keys[index] == Self.empty { count &+= 1 }
        keys[index] = key
        values[index] = value
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    @inline(never)
    private mutating func grow() {
        let old = self
        self = OpenTable(capacity: (old.mask + 1) * 2)
        for index in 0...old.mask where old.keys[index] != Self.empty { insert(old.keys[index], old.values[index]) }
        old.deallocate()
    }
}
