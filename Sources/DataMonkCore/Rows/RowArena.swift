/// **Confined.** Hands out memory for new rows from blocks that many rows share: one allocation for some hundred rows.
///
/// Blocks begin at 512 bytes and double up to 16 KiB (or the row's own size where that is more), so that a commit of one
/// row does not hold memory for a hundred. A held row keeps its whole block: the price of one allocation for many rows.
/// A fetch of everything costs no more for it; a caller who keeps one row in a hundred pays up to a hundredfold for
/// those.
package struct RowArena {
    @usableFromInline package private(set) var block: RowBlock?
    @usableFromInline package var free: UnsafeMutableRawPointer
    @usableFromInline package var end: UnsafeMutableRawPointer

    private var nextBlockSize = 512
    private static let largestBlockSize = 16_384

    package init() {
        // Any address does: with free == end the first allocation opens a block.
        free = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
        end = free
    }

    /// Memory for `size` bytes, aligned to 8, in `block`. Not initialized.
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
        let block = RowBlock(capacity: max(size, nextBlockSize))
        nextBlockSize = min(nextBlockSize * 2, Self.largestBlockSize)
        self.block = block
        free = block.base
        end = block.base + block.capacity
    }

    /// The row at `pointer`, which `allocate` has just returned memory for.
    @inlinable
    package func row(at pointer: UnsafeMutableRawPointer) -> Row {
        Row(block: openBlock, pointer: UnsafeRawPointer(pointer))
    }

    /// The block that `allocate` has just taken memory from.
    @inlinable
    package var openBlock: RowBlock {
        // There is one: the memory came out of it.
        block.unsafelyUnwrapped
    }
}

@available(*, unavailable)
extension RowArena: Sendable {}
