/// **Confined.** Allocates memory for new rows in blocks shared by many rows: one allocation for about a hundred rows.
///
/// The first block has room for the first row alone: a commit of one row, which may be held for long, holds no memory for
/// others. Those after it start at 512 bytes and double up to 16 KiB, or to the size of a larger row. A retained row keeps its
/// whole block, which is the price of one allocation for many rows. A fetch whose results are all kept costs no more for it;
/// a caller who keeps one row in a hundred pays up to a hundredfold for those.
@usableFromInline
package struct RowArena {
    @usableFromInline package private(set) var block: RowBlock?
    @usableFromInline package var free: UnsafeMutableRawPointer
    @usableFromInline package var end: UnsafeMutableRawPointer

    private var nextBlockSize = 0
    private static let secondBlockSize = 512
    /// The largest size of a block for many rows. A row of this size or more has a block of its own.
    static let largestBlockSize = 16_384

    package init() {
        // Any address will do: with free == end, the first allocation opens a block.
        free = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
        end = free
    }

    /// Returns `size` bytes of uninitialized memory in `block`, aligned to 8.
    @inlinable
    package mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let padded = (size &+ 7) & ~7
        if end - free < padded { open(atLeast: padded) }
        let memory = free
        free = memory + padded
        return memory
    }

    @usableFromInline
    package mutating func open(atLeast size: Int) {
        let capacity = max(size, nextBlockSize)
        let block = RowBlock(capacity: capacity)
        nextBlockSize = min(max(nextBlockSize * 2, Self.secondBlockSize), Self.largestBlockSize)
        self.block = block
        free = block.base
        end = block.base + capacity
    }

    /// Returns the row at `pointer`, whose memory was just returned by `allocate`.
    @inlinable
    package func row(at pointer: UnsafeMutableRawPointer) -> Row {
        Row(block: openBlock, pointer: UnsafeRawPointer(pointer))
    }

    /// The block from which `allocate` has just taken memory.
    @inlinable
    package var openBlock: RowBlock {
        // The block exists, since the memory came from it.
        block.unsafelyUnwrapped
    }
}

@available(*, unavailable)
extension RowArena: Sendable {}
