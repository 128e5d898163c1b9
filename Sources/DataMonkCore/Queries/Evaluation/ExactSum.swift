/// **Value.** A sum of doubles that is rounded only once, at the end, so that it does not depend on their order. Stores
/// read rows in whatever order suits them, which may differ from the order in memory.
///
/// Uses Shewchuk's algorithm: the sum is kept as non-overlapping doubles, smallest first, and adding to them loses nothing.
struct ExactSum {
    private var parts: [Double] = []
    /// The part of the sum that overflowed, or was infinite from the start.
    private var beyond = 0.0

    mutating func add(_ number: Double) {
        var sum = number
        var kept = 0
        for part in parts {
            let (large, small) = abs(sum) < abs(part) ? (part, sum) : (sum, part)
            sum = large + small
            let lost = small - (sum - large)
            if lost != 0 {
                parts[kept] = lost
                kept += 1
            }
        }
        guard sum.isFinite else {
            beyond += sum
            parts = []
            return
        }
        parts.removeLast(parts.count - kept)
        parts.append(sum)
    }

    /// Adds an integer with all its digits.
    mutating func add(_ number: Int64) {
        add(Double(number >> 32) * 0x1p32)
        add(Double(number & 0xFFFF_FFFF))
    }

    /// The double nearest to the sum.
    var value: Double {
        if beyond != 0 { return beyond }
        var rest = parts[...]
        guard var sum = rest.popLast() else { return 0 }
        while let part = rest.popLast() {
            let next = sum + part
            let lost = part - (next - sum)
            sum = next
            guard lost != 0 else { continue }
            // Halfway between two doubles, the smaller parts decide.
            if let below = rest.last, (below < 0) == (lost < 0) {
                let further = sum + lost * 2
                if further - sum == lost * 2 { sum = further }
            }
            break
        }
        return sum
    }
}
