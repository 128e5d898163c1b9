/// **Value.** The highest assigned primary keys, by the root entity's number: the contents of `Z_PRIMARYKEY` as long as
/// nobody else writes, and its contents once the transaction is committed. The table is therefore written once per
/// transaction, however many saves share it.
struct PrimaryKeyNumbers {
    private var last: [Int: Int64] = [:]
    /// The entities whose keys were assigned since the table was last written.
    private var unwritten: [Int] = []

    func last(ofEntityNumber number: Int) -> Int64? { last[number] }

    mutating func setLast(_ primaryKey: Int64, ofEntityNumber number: Int) {
        last[number] = primaryKey
        if !unwritten.contains(number) { unwritten.append(number) }
    }

    /// Calls a block with each value to be written, and marks it as written.
    mutating func write(_ body: (_ number: Int, _ last: Int64) throws -> Void) rethrows {
        for number in unwritten { if let last = last[number] { try body(number, last) } }
        unwritten.removeAll(keepingCapacity: true)
    }
}
