/// **Value.** The objects of one inheritance tree, ordered by primary key like a file's.
///
/// Keys without gaps are the common case: `rows[n]` is then the object with primary key n + 1. Once a key lies far behind the
/// last one, as in a file whose ids begin anywhere, the keys are kept beside the rows.
///
/// Invariants:
/// 1. `numbers` is nil, or as long as `rows`, and ascends.
/// 2. Without `numbers`, `rows` is at most twice as long as it has been filled, and 64 more: a key costs no memory by its size.
struct InMemoryTable: Sendable {
    private(set) var rows: [InMemoryContents.Stored?] = []
    private var numbers: [Int64]?

    subscript(primaryKey: Int64) -> InMemoryContents.Stored? { index(of: primaryKey).flatMap { rows[$0] } }

    private func index(of primaryKey: Int64) -> Int? {
        guard let numbers else {
            return primaryKey > 0 && primaryKey <= rows.count ? Int(primaryKey) - 1 : nil
        }
        let index = Self.firstIndex(in: numbers, from: primaryKey)
        return index < numbers.count && numbers[index] == primaryKey ? index : nil
    }

    /// Returns the place of the first number that is not below another one.
    private static func firstIndex(in numbers: [Int64], from number: Int64) -> Int {
        if let last = numbers.last, last < number { return numbers.count }
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func put(_ stored: InMemoryContents.Stored) {
        let primaryKey = stored.key.primaryKey
        if numbers == nil, primaryKey > 2 * Int64(rows.count) + 64 { keepNumbers() }
        if let index = index(of: primaryKey) {
            rows[index] = stored
        } else if let index = numbers.map({ Self.firstIndex(in: $0, from: primaryKey) }) {
            numbers?.insert(primaryKey, at: index)
            rows.insert(stored, at: index)
        } else {
            while Int64(rows.count) < primaryKey { rows.append(nil) }
            rows[Int(primaryKey) - 1] = stored
        }
    }

    mutating func remove(_ primaryKey: Int64) {
        if let index = index(of: primaryKey) { rows[index] = nil }
    }

    private mutating func keepNumbers() {
        rows.removeAll { $0 == nil }
        numbers = rows.map { $0?.key.primaryKey ?? 0 }
    }
}
