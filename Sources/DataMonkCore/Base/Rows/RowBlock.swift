/// **Shared.** The memory of packed rows, which live as long as the block.
///
/// A row, drawn around its pointer (each cell is 8 bytes, n properties, k = (n - 1) / 64):
///
///     -16-8k     -16        -8         0                            8n
///     +---------+----------+----------+--------+-----+-------------+------------------+
///     | nulls k |  nulls 0 | version  | slot 0 | ... | slot n-1    | tail             |
///     +---------+----------+----------+--------+-----+-------------+------------------+
///                                     ^ row pointer
///
/// Depending on the property's kind, a slot holds:
///
/// - an integer or Bool as Int64;
/// - a Double, Float or Date (seconds since 2001) as the bits of a Double;
/// - text, data and the other long kinds as `offset << 32 | byte count` of their bytes in the tail, with the offset
///   relative to the row pointer. Bit 31, which no count reaches, indicates that the bytes are an ``ExternalReference`` to
///   data in a separate file;
/// - a to-one as the raw value of an ``ObjectKey``, or zero for none.
///
/// The slots of to-manys are unused. Bit `i % 64` of null word `i / 64` indicates that slot i has no value; the slot is
/// then zero, so that a non-optional property reads as 0, "" or false without checking the bit.
///
/// The size of the tail is not stored; it follows from the slots.
@usableFromInline
// @unchecked Sendable: the bytes of a row are written before the row is shared and never afterwards, and different rows of
// a block do not overlap. An arena may therefore continue to fill a block whose earlier rows are already shared. A lock
// guards the number of cached rows; everything else is constant.
package class RowBlock: ObjectStorage, @unchecked Sendable {
    // A commit of one row has a block of its own. With these two in this order and as small as this, the block takes 48 bytes
    // of the allocator's rather than 64.
    /// The number of cached rows in the block, guarded by the lock of the one coordinator whose rows the block contains.
    private final var cachedRows: UInt32 = 0
    package final let base: UnsafeMutableRawPointer
    /// In bytes; no larger than what fits into four of them.
    package final let capacity: UInt32

    fileprivate init(base: UnsafeMutableRawPointer, capacity: UInt32) {
        self.base = base
        self.capacity = capacity
        super.init(.stored)
    }

    package convenience init(capacity: Int) {
        self.init(base: .allocate(byteCount: capacity, alignment: 8), capacity: UInt32(clamping: capacity))
    }

    /// Creates a block of memory that was allocated by itself, and owns it from now on.
    convenience init(owning memory: UnsafeMutableRawPointer, capacity: Int) {
        self.init(base: memory, capacity: UInt32(clamping: capacity))
    }

    deinit {
        if capacity > 0 { base.deallocate() }
    }

    /// Some values of a fault, for a block that has no memory.
    final var partial: PartialRow? {
        capacity == 0 ? unsafeDowncast(self, to: PartialBlock.self).values : nil
    }

    /// Counts one more cached row. Returns `true` if it is the first.
    final func enterCache() -> Bool {
        cachedRows += 1
        return cachedRows == 1
    }

    /// Counts one cached row less. Returns `true` if it was the last.
    final func leaveCache() -> Bool {
        cachedRows -= 1
        return cachedRows == 0
    }
}

/// **Shared.** Some values of a fault's row, in the place of its block.
// @unchecked Sendable: constant, and no row of it is ever cached.
final class PartialBlock: RowBlock, @unchecked Sendable {
    fileprivate let values: PartialRow

    init(_ values: PartialRow) {
        self.values = values
        // Any address will do.
        super.init(base: UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped, capacity: 0)
    }
}

/// **Value.** A row and the block that keeps it in memory. Immutable once it is shared.
@usableFromInline
package struct Row: @unchecked Sendable {
    // @unchecked Sendable: the pointer points into `block`, whose shared rows never change.

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
    package func enterCache() -> Int { block.enterCache() ? Int(block.capacity) : 0 }
    package func leaveCache() -> Int { block.leaveCache() ? Int(block.capacity) : 0 }
}
