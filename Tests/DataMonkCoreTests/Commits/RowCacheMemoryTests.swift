import DataMonkCore
import Testing

/// How much memory the row cache keeps, and how old its rows are.
@Suite struct `Row cache memory and age` {
    private var cache = RowCache<BlockRow>(capacity: 100, byteLimit: 4_000)

    private func key(_ number: Int) -> ObjectKey { ObjectKey(store: 0, entity: 1, primaryKey: Int64(number)) }

    private func generation(_ number: UInt64) -> Generation { Generation(rawValue: number) }

    private mutating func isKnown(_ number: Int, storedSince: Int64 = .min) -> Bool {
        if case .row = cache.lookUp(key(number), at: cache.newestGeneration, storedSince: storedSince) { return true }
        return false
    }

    @Test mutating func `a block counts once for all its rows`() throws {
        let block = BlockRow.Block(size: 1_000)
        for number in 1...50 { cache.put(BlockRow(block: block), for: key(number), readAt: .opened) }
        #expect(cache.count == 50 && cache.keptBytes == 1_000)
        cache.removeAll()
        #expect(cache.keptBytes == 0 && block.cachedRows == 0)
        try cache.checkInvariants()
    }

    @Test mutating func `rows in blocks of their own leave when the memory is used up`() throws {
        for number in 1...50 { cache.put(BlockRow(block: .init(size: 1_000)), for: key(number), readAt: .opened) }
        #expect(cache.count == 4 && cache.keptBytes == 4_000)
        try cache.checkInvariants()
    }

    @Test mutating func `a row larger than the limit is not kept`() throws {
        let isKept = cache.put(BlockRow(block: .init(size: 5_000)), for: key(1), readAt: .opened)
        #expect(!isKept && cache.count == 0 && cache.keptBytes == 0)
        try cache.checkInvariants()
    }

    @Test mutating func `older versions count too, and leave last`() throws {
        for number in 1...30 {
            cache.publish(
                [RowChange(key(1), outcome: .row(BlockRow(block: .init(size: 1_000))))],
                at: generation(UInt64(number) + 1))
            try cache.checkInvariants()
        }
        #expect(cache.keptBytes <= 4_000)
        cache.prune(oldestStanding: cache.newestGeneration)
        #expect(cache.keptBytes <= 1_000)
        try cache.checkInvariants()
    }

    @Test mutating func `a deleted row keeps no memory`() throws {
        cache.publish([RowChange(key(1), outcome: .row(BlockRow(block: .init(size: 1_000))))], at: generation(2))
        cache.publish([RowChange(key(1), outcome: .deleted)], at: generation(3))
        cache.prune(oldestStanding: generation(3))
        #expect(cache.keptBytes == 0)
        try cache.checkInvariants()
    }

    @Test mutating func `a row is known as long as it is young enough`() {
        cache.put(BlockRow(block: .init(size: 10)), for: key(1), readAt: .opened, now: 100)
        let known = [isKnown(1), isKnown(1, storedSince: 100), isKnown(1, storedSince: 101)]
        #expect(known == [true, true, false])
    }

    @Test mutating func `a row that was read again is young again, and the one that was read`() {
        let (old, new) = (BlockRow.Block(size: 10), BlockRow.Block(size: 10))
        cache.put(BlockRow(block: old), for: key(1), readAt: .opened, now: 100)
        cache.put(BlockRow(block: new), for: key(1), readAt: .opened, now: 200)
        let isYoung = isKnown(1, storedSince: 200)
        #expect(isYoung && old.cachedRows == 0 && new.cachedRows == 1)
    }
}
