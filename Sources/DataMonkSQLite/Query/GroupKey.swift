/// **Value.** The values of a row by which it is grouped, as SQLite distinguishes them.
struct GroupKey: Hashable {
    private var bytes: [UInt8] = []

    var count: Int { bytes.count }

    /// Returns a copy without the memory that longer values have needed before.
    func compact() -> GroupKey {
        var copy = GroupKey()
        copy.bytes = Array(bytes[...])
        return copy
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends the value in a column of the current row. Numbers are equal whatever their type.
    mutating func append(_ statement: SQLiteStatement, at column: Int) {
        switch statement.type(at: column) {
        case .null: append(0, bitsOf: 0)
        case .integer: append(1, bitsOf: statement.int64(at: column))
        case .double:
            let number = statement.double(at: column)
            if let whole = Int64(exactly: number) {
                append(1, bitsOf: whole)
            } else {
                append(2, bitsOf: Int64(bitPattern: number.bitPattern))
            }
        case .text: append(3, statement.unsafeText(at: column))
        case .blob: append(4, statement.unsafeBlob(at: column))
        }
    }

    private mutating func append(_ tag: Int64, bitsOf number: Int64) {
        withUnsafeBytes(of: (tag, number)) { bytes.append(contentsOf: $0) }
    }

    /// The number of bytes stands before them, so that the end of a value is not taken for the beginning of the next.
    private mutating func append(_ tag: Int64, _ value: UnsafeRawBufferPointer) {
        withUnsafeBytes(of: Int64(value.count) << 8 | tag) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: value)
    }

    // All at once: an array hashes its elements one by one.
    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
