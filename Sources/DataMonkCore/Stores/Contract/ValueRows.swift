/// **Value.** Rows of values, each of the same number of columns, packed in blocks: values of any type would be retained and
/// released one by one, and one array of all of them would be copied again and again as it grows.
@usableFromInline
package struct ValueRows: Sendable {
    package let columnCount: Int
    /// The blocks that are full.
    fileprivate var full: [Block] = []
    /// The block to which values are appended.
    @usableFromInline var last = Block()

    package init(columnCount: Int) { self.columnCount = columnCount }

    package init(_ rows: [[ManagedValue]], of fetch: ResolvedFetch) {
        self.init(columnCount: fetch.columnCount)
        for row in rows {
            for value in row { append(value) }
        }
    }

    /// Returns the rows, in an array for each.
    package consuming func makeArrays() -> [[ManagedValue]] {
        let columnCount = columnCount
        var cursor = Cursor(self)
        return (0..<cursor.rowCount).map { _ in (0..<columnCount).map { _ in cursor.next() } }
    }

    /// **Value.** Up to `Block.capacity` values.
    @usableFromInline
    struct Block: Sendable {
        @usableFromInline var cells: [Cell] = []
        /// The strings, one after the other, in UTF-8.
        @usableFromInline var text: [UInt8] = []
        /// The values that are not packed.
        @usableFromInline var others: [ManagedValue] = []

        @usableFromInline static let capacity = 4_096
        /// The number of bytes of text from which on no further value is added.
        @usableFromInline static let textCapacity = 1 << 18
    }

    /// **Value.** A packed value, which owns nothing.
    @usableFromInline
    struct Cell: Sendable {
        @usableFromInline
        enum Form: UInt8, Sendable { case null, integer, double, text, other }

        /// The bits of the number, the position of the text, or that of the value that is not packed.
        @usableFromInline let word: UInt64
        /// The length of the text, in bytes.
        @usableFromInline let count: UInt32
        @usableFromInline let form: Form

        @inlinable @inline(__always)
        init(_ form: Form, _ word: UInt64 = 0, count: UInt32 = 0) {
            self.word = word
            self.count = count
            self.form = form
        }
    }
}

// Values are appended one by one: to the last row, or to a new one once that is complete.
extension ValueRows {
    @inlinable @inline(__always)
    package mutating func appendNull() {
        makeRoom()
        last.cells.append(Cell(.null))
    }

    @inlinable @inline(__always)
    package mutating func append(_ number: Int64) {
        makeRoom()
        last.cells.append(Cell(.integer, UInt64(bitPattern: number)))
    }

    @inlinable @inline(__always)
    package mutating func append(_ number: Double) {
        makeRoom()
        last.cells.append(Cell(.double, number.bitPattern))
    }

    /// Appends a string. Its bytes are copied.
    @inlinable @inline(__always)
    package mutating func append(utf8 bytes: UnsafeRawBufferPointer) {
        // A long one is not copied twice.
        if bytes.count >= Block.textCapacity { return append(.string(String(decoding: bytes, as: UTF8.self))) }
        makeRoom()
        last.cells.append(Cell(.text, UInt64(last.text.count), count: UInt32(truncatingIfNeeded: bytes.count)))
        last.text.append(contentsOf: bytes)
    }

    /// Appends a value of any type.
    @usableFromInline
    package mutating func append(_ value: ManagedValue) {
        switch value {
        case .null: appendNull()
        case .int(let number): append(number)
        case .double(let number): append(number)
        default:
            makeRoom()
            last.cells.append(Cell(.other, UInt64(last.others.count)))
            last.others.append(value)
        }
    }

    @inlinable @inline(__always)
    mutating func makeRoom() { if last.isFull { beginBlock() } }

    @usableFromInline @inline(never)
    mutating func beginBlock() {
        full.append(last)
        last = Block()
        last.cells.reserveCapacity(Block.capacity)
    }
}

extension ValueRows.Block {
    @inlinable @inline(__always)
    var isFull: Bool { cells.count == Self.capacity || text.count >= Self.textCapacity }
}

extension ValueRows {
    /// **Value.** Reads the values of rows from the first to the last, once. A block is released when the next one begins.
    @usableFromInline
    package struct Cursor {
        /// The blocks whose values are yet to be read, the next one last.
        private var blocks: [Block]
        @usableFromInline var block: Block
        @usableFromInline var position = 0
        /// The number of rows, from the first on.
        @usableFromInline package let rowCount: Int

        package init(_ rows: consuming ValueRows) {
            blocks = [rows.last] + rows.full.reversed()
            let count = blocks.reduce(0) { $0 + $1.cells.count }
            rowCount = count / rows.columnCount
            block = blocks.removeLast()
        }

        /// Returns the next value; `.null` after the last one.
        @inlinable
        package mutating func next() -> ManagedValue {
            if position == block.cells.count, !beginNextBlock() { return .null }
            let cell = block.cells[position]
            position &+= 1
            switch cell.form {
            case .null: return .null
            case .integer: return .int(Int64(bitPattern: cell.word))
            case .double: return .double(Double(bitPattern: cell.word))
            case .text: return .string(text(of: cell))
            case .other: return block.others[Int(cell.word)]
            }
        }

        @inlinable @inline(__always)
        func text(of cell: Cell) -> String {
            block.text.withUnsafeBytes { text in
                String(
                    decoding: UnsafeRawBufferPointer(rebasing: text[Int(cell.word)..<Int(cell.word) + Int(cell.count)]),
                    as: UTF8.self)
            }
        }

        @usableFromInline @inline(never)
        mutating func beginNextBlock() -> Bool {
            guard let next = blocks.popLast() else { return false }
            block = next
            position = 0
            return true
        }
    }
}
