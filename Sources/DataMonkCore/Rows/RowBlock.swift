/// **Shared.** The memory of some packed rows; the rows in it live as long as the block.
///
/// A row, drawn around its pointer (each cell is 8 bytes, n properties, k = (n - 1) / 64):
///
///     -16-8k     -16        -8         0                            8n
///     +---------+----------+----------+--------+-----+-------------+------------------+
///     | nulls k |  nulls 0 | version  | slot 0 | ... | slot n-1    | tail             |
///     +---------+----------+----------+--------+-----+-------------+------------------+
///                                     ^ row pointer
///
/// A slot holds, by the property's kind: an integer or Bool as Int64; a Double, Float or Date (seconds since 2001) as
/// the bits of a Double; text, data and the other long kinds as `offset << 32 | byte count` of their bytes in the tail
/// (offset from the row pointer; bit 31, which no count reaches, says that the bytes are an ``ExternalReference`` to data
/// in a file of its own); a to-one as the raw value of an ``ObjectKey``, zero for none. To-manys have a slot
/// that is not used. Bit `i % 64` of null word `i / 64` says that slot i holds no value; its slot is then zero, so a
/// non-optional property reads as 0, "" or false without a look at the bit.
///
/// The size of the tail is not stored: it is what its slots add up to.
@usableFromInline
// @unchecked Sendable: bytes of a row are written before the row is handed to anybody and never after; different rows of a
// block do not overlap. So an arena may go on filling a block whose earlier rows are already shared. What it inherits is a
// constant.
package final class RowBlock: ObjectHoldings, @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let capacity: Int
    /// Of a fault's block, which has no memory: some of its values.
    let partial: PartialRow?
    /// How often a row cache holds one of the rows; guarded by the lock of the one coordinator whose rows lie here.
    private var cachedRows = 0

    package init(capacity: Int) {
        base = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
        partial = nil
        super.init(.stored)
    }

    /// Stands in the place of a fault's block.
    init(_ partial: PartialRow) {
        base = .allocate(byteCount: 0, alignment: 8)
        capacity = 0
        self.partial = partial
        super.init(.stored)
    }

    deinit { base.deallocate() }

    /// Counts one more cached row; whether it is the first.
    func enterCache() -> Bool {
        cachedRows += 1
        return cachedRows == 1
    }

    /// Counts one cached row less; whether it was the last.
    func leaveCache() -> Bool {
        cachedRows -= 1
        return cachedRows == 0
    }
}

/// **Value.** A row and what keeps it in memory. Immutable once it is shared.
@usableFromInline
package struct Row: @unchecked Sendable {
    // @unchecked Sendable: the pointer is into `block`, whose shared rows never change.

    @usableFromInline package let block: RowBlock
    @usableFromInline package let pointer: UnsafeRawPointer

    @inlinable
    package init(block: RowBlock, pointer: UnsafeRawPointer) {
        self.block = block
        self.pointer = pointer
    }

    /// The object's version when this row was read or written: Core Data's `Z_OPT`.
    @inlinable package var version: Int64 { RowFormat.version(pointer) }
}

extension Row: CachedRow {
    package func enterCache() -> Int { block.enterCache() ? block.capacity : 0 }
    package func leaveCache() -> Int { block.leaveCache() ? block.capacity : 0 }
}
