import DataMonkCore

// Rows of tests that keep no memory of their own.

extension CachedRow {
    package func enterCache() -> Int { 0 }
    package func leaveCache() -> Int { 0 }
}

extension String: CachedRow {}
extension Int: CachedRow {}
extension SimulatedRow: CachedRow {}

/// A row in a block that others lie in too.
struct BlockRow: CachedRow {
    /// **Confined.** Memory of some rows.
    final class Block: @unchecked Sendable {
        // @unchecked Sendable: one test uses it, on one thread.
        var cachedRows = 0
        let size: Int

        init(size: Int) { self.size = size }
    }

    let block: Block

    func enterCache() -> Int {
        block.cachedRows += 1
        return block.cachedRows == 1 ? block.size : 0
    }

    func leaveCache() -> Int {
        block.cachedRows -= 1
        return block.cachedRows == 0 ? block.size : 0
    }
}
