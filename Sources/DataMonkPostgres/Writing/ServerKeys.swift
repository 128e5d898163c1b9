#if Postgres
    import DataMonkCore

    /// **Shared.** The primary keys that this process has taken from the server's sequences, and not assigned yet.
    ///
    /// A sequence gives out blocks, so that most transactions need not ask it. Keys of a transaction that is rolled back are
    /// not used again, and those that are left are dropped with the connection by which they were taken.
    final class ServerKeys: Sendable {
        private struct State {
            /// The keys that are left, by the index of the root entity.
            var left: [Int: Range<Int64>] = [:]
            /// The last key that was assigned, by the index of the root entity.
            var last: [Int: Int64] = [:]
        }

        private let state = Locked(State())

        /// The last keys that were assigned, by the index of the root entity.
        var last: [Int: Int64] { state.withLock { $0.last } }

        /// Reserves consecutive keys, and returns the first one. Only one transaction of the process does so at a time.
        ///
        /// - Parameter takeBlocks: Takes a number of blocks from the sequence, and returns the first keys of them.
        func reserve(
            _ count: Int, of root: Entity, takeBlocks: (Int) throws -> [Int64]
        ) throws -> Int64 {
            if let first = take(count, of: root) { return first }
            let size = ServerTable.keyBlockSize
            let blockCount = max(1, (Int64(count) + size - 1) / size)
            while true {
                let blocks = try takeBlocks(Int(blockCount))
                guard let first = blocks.first, let last = blocks.last else { throw StoreError.missingKeys(root) }
                // Another process may have taken one in between.
                if last - first != (blockCount - 1) * size { continue }
                state.withLock { $0.left[root.index] = first..<last + size }
                if let first = take(count, of: root) { return first }
            }
        }

        /// Drops the keys that are left.
        func dropAll() { state.withLock { $0.left = [:] } }

        private func take(_ count: Int, of root: Entity) -> Int64? {
            state.withLock { state in
                guard let left = state.left[root.index], left.count >= count else { return nil }
                let end = left.lowerBound + Int64(count)
                state.left[root.index] = end..<left.upperBound
                state.last[root.index] = end - 1
                return left.lowerBound
            }
        }
    }
#endif
