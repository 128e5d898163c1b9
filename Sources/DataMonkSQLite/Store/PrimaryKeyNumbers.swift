/// **Value.** The highest primary keys given out, by the root entity's number: what `Z_PRIMARYKEY` holds, as long as nobody
/// else writes, and what it is to hold when the transaction is committed. So it is written once a transaction, however many
/// saves share that.
struct PrimaryKeyNumbers {
    private var last: [Int: Int64] = [:]
    /// The entities of which keys were given out since the table was last written.
    private var unwritten: [Int] = []

    func last(ofEntityNumber number: Int) -> Int64? { last[number] }

    mutating func setLast(_ primaryKey: Int64, ofEntityNumber number: Int) {
        last[number] = primaryKey
        if !unwritten.contains(number) { unwritten.append(number) }
    }

    /// Calls a block with what is to be written, which counts as written then.
    mutating func write(_ body: (_ number: Int, _ last: Int64) throws -> Void) rethrows {
        for number in unwritten { if let last = last[number] { try body(number, last) } }
        unwritten.removeAll(keepingCapacity: true)
    }
}
