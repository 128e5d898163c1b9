/// **Value.** Reads and writes single cells of a packed row, with the layout shown in `RowBlock`.
///
/// None of the functions checks bounds: the slot comes from the entity's layout, and the pointer from a row of that entity.
@usableFromInline
package enum RowFormat {
    /// Returns the number of bytes before the row pointer: the version and the words of null bits.
    @inlinable
    package static func headerSize(slots: Int) -> Int { 8 &+ 8 &* ((slots &+ 63) / 64) }

    @inlinable
    package static func version(_ row: UnsafeRawPointer) -> Int64 { row.load(fromByteOffset: -8, as: Int64.self) }

    /// Returns the version of the row that follows one of another version: the next higher one, and 1 after the highest.
    @inlinable
    package static func version(after version: Int64) -> Int64 { max(version &+ 1, 1) }

    @inlinable
    package static func setVersion(_ version: Int64, of row: UnsafeMutableRawPointer) {
        row.storeBytes(of: version, toByteOffset: -8, as: Int64.self)
    }

    @inlinable
    package static func word(in row: UnsafeRawPointer, at slot: Int) -> UInt64 {
        row.load(fromByteOffset: slot &* 8, as: UInt64.self)
    }

    @inlinable
    package static func setWord(_ word: UInt64, in row: UnsafeMutableRawPointer, at slot: Int) {
        row.storeBytes(of: word, toByteOffset: slot &* 8, as: UInt64.self)
    }

    @inlinable
    package static func isNull(in row: UnsafeRawPointer, at slot: Int) -> Bool {
        let nulls = row.load(fromByteOffset: -16 &- (slot &>> 6) &* 8, as: UInt64.self)
        return nulls & (1 &<< UInt64(truncatingIfNeeded: slot & 63)) != 0
    }

    /// Returns the null bits of the first 64 slots.
    @inlinable
    package static func firstNulls(_ row: UnsafeRawPointer) -> UInt64 { row.load(fromByteOffset: -16, as: UInt64.self) }

    @inlinable
    package static func setNull(_ isNull: Bool, in row: UnsafeMutableRawPointer, at slot: Int) {
        let offset = -16 &- (slot &>> 6) &* 8
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot & 63)
        let nulls = row.load(fromByteOffset: offset, as: UInt64.self)
        row.storeBytes(of: isNull ? nulls | bit : nulls & ~bit, toByteOffset: offset, as: UInt64.self)
    }

    /// Returns the bytes in the tail that a long slot refers to; empty for null.
    @inlinable
    package static func bytes(in row: UnsafeRawPointer, at slot: Int) -> UnsafeRawBufferPointer {
        let word = word(in: row, at: slot)
        return UnsafeRawBufferPointer(start: row + tailOffset(word), count: tailCount(word))
    }

    /// Returns the start of a long slot's bytes, relative to the row pointer.
    @inlinable
    package static func tailOffset(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 32) }

    /// Returns the number of a long slot's bytes.
    @inlinable
    package static func tailCount(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0x7FFF_FFFF) }

    /// The bit in a long slot's word that marks its bytes as an ``ExternalReference`` to the value, instead of the value
    /// itself.
    @inlinable package static var referenceBit: UInt64 { 1 << 31 }

    @inlinable
    package static func isReference(in row: UnsafeRawPointer, at slot: Int) -> Bool {
        word(in: row, at: slot) & referenceBit != 0
    }

    @inlinable
    package static func tailWord(offset: Int, count: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: offset) &<< 32 | UInt64(truncatingIfNeeded: count)
    }

    /// The maximum size of a row: offsets and lengths have 31 bits.
    // nonisolated(unsafe): set by tests only, in processes of their own, while nothing else runs there.
    package nonisolated(unsafe) static var maximumSize = 1 << 31 - 1
}
