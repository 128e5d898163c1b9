import DataMonkCore
import Testing

@Suite struct `A key table` {
    /// Keys as they come: one after the other; all in the same place beside their neighbours; of two entities; far apart.
    @Test(
        arguments: [
            { $0 + 1 }, { ($0 + 1) * 32 }, { ($0 % 2) << 46 | ($0 / 2 + 1) }, { ($0 + 1) &* 0x9E37_79B9_7F4A_7C15 },
        ] as [@Sendable (UInt64) -> UInt64])
    func `finds what was put into it and nothing else`(key: @Sendable (UInt64) -> UInt64) {
        var table = KeyTable()
        defer { table.deallocate() }
        for number in 0..<20_000 as Range<UInt64> { table.set(key(number), to: UInt(number + 1)) }
        for number in 0..<20_000 as Range<UInt64> where number % 3 == 0 { table.remove(key(number)) }
        let wrong = (0..<20_000 as Range<UInt64>).filter { number in
            table.find(key(number)) != (number % 3 == 0 ? 0 : UInt(number + 1))
        }
        #expect(wrong.isEmpty && table.find(key(20_000)) == 0)
        #expect(table.count == 20_000 - 6_667)
    }
}
