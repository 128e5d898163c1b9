/// **Value.** The iteration order of names in Core Data's old hash tables.
///
/// It decides which of two relationships on one entity names their join table, and which of two columns with the same name
/// is numbered. No ordering of names explains it: the hash tables of macOS 10.4 have to be reproduced.
enum HashTableOrder {
    /// The maximum number of names in a table, and the number of buckets it then has.
    private static let sizes: [(limit: Int, buckets: Int)] = [
        (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521), (521, 839),
        (843, 1361), (1364, 2207),
    ]

    /// Returns the names in the table's iteration order.
    ///
    /// - Parameter names: The names in the order of their insertion, at most 1,360.
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

    /// For a long name, only the beginning, the middle and the end are hashed.
    private static func hash(_ name: String) -> UInt32 {
        let units = Array(name.utf16)
        let middle = units.count / 2 - 4
        let counted = units.count > 24 ? units[..<8] + units[middle..<middle + 8] + units.suffix(8) : units[...]
        var hash = UInt32(truncatingIfNeeded: units.count)
        for unit in counted { hash = hash &* 257 &+ UInt32(unit) }
        return hash &+ hash << UInt32(units.count & 31)
    }
}
