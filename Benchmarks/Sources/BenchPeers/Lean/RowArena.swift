import Foundation

/// **Confined.** Rows in blocks of 64 KiB that are freed when the last of their rows is. A block starts with the
/// count of its rows, plus one while it is the open one. Not atomic: rows are made and freed under the context's
/// lock.
struct RowArena {
    private static let blockSize = 65_536
    private static let headerSize = 16
    private var block: UnsafeMutableRawPointer?
    private var used = blockSize

    @inline(__always)
    mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let size = (byteCount + 15) & ~15
        let block = openBlock(for: size)
        let row = block + used
        used += size
        block.assumingMemoryBound(to: Int.self).pointee += 1
        return row
    }

    static func free(_ row: UnsafeMutableRawPointer) {
        let block = row - (Int(bitPattern: row) & (blockSize - 1))
        let rows = block.assumingMemoryBound(to: Int.self)
        rows.pointee -= 1
        if rows.pointee == 0 { block.deallocate() }
    }

    /// Lets the open block go with its rows.
    mutating func close() {
        if let block { Self.free(block + Self.headerSize) }
        block = nil
        used = Self.blockSize
    }

    @inline(__always)
    private mutating func openBlock(for size: Int) -> UnsafeMutableRawPointer {
        if let block, used + size <= Self.blockSize { return block }
        return nextBlock()
    }

    @inline(never)
    private mutating func nextBlock() -> UnsafeMutableRawPointer {
        close()
        let next = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: Self.blockSize)
        next.storeBytes(of: 1, as: Int.self)
        block = next
        used = Self.headerSize
        return next
    }
}
