/// **Value.** The order in which Core Data's old hash tables walk over names.
///
/// It decides which of two relationships on one entity names their join table, and which of two columns of one name is
/// numbered. No rule of spelling explains it: the tables of macOS 10.4 have to be rebuilt.
enum HashTableOrder {
    /// How many names a table takes, and its size then.
    private static let sizes: [(limit: Int, buckets: Int)] = [
        (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521), (521, 839),
        (843, 1361), (1364, 2207),
    ]

    /// The names as a walk over the table meets them.
    ///
    /// - Parameter names: In the order of their insertion, at most 1,360.
    static func walk(_ names: [String]) -> [String] {
        let capacity = names.count + 4
        let count = sizes.first { $0.limit >= capacity }?.buckets ?? capacity * 2
        var buckets: [String?] = Array(repeating: nil, count: count)
        for name in names {
            var place = Int(hash(name)) % count
            while buckets[place] != nil { place = (place + 1) % count }
            buckets[place] = name
        }
        return buckets.compactMap(\.self)
    }

    /// Of a long name only the beginning, the middle and the end count.
    private static func hash(_ name: String) -> UInt32 {
        let units = Array(name.utf16)
        let middle = units.count / 2 - 4
        let counted = units.count > 24 ? units[..<8] + units[middle..<middle + 8] + units.suffix(8) : units[...]
        var hash = UInt32(truncatingIfNeeded: units.count)
        for unit in counted { hash = hash &* 257 &+ UInt32(unit) }
        return hash &+ hash << UInt32(units.count & 31)
    }
}
