import DataMonkSQL
import Foundation
import Testing

struct RawDeflateTests {
    private let text = Data(String(repeating: "the same again ", count: 20_000).utf8)

    @Test func `what was deflated inflates to the same`() throws {
        for data in [Data(), Data([7]), text] {
            #expect(try RawDeflate.inflate(RawDeflate.deflate(data), limit: data.count) == data)
        }
        #expect(try RawDeflate.deflate(text).count < text.count / 50)
    }

    @Test func `more than the limit is refused`() throws {
        let bomb = try RawDeflate.deflate(Data(count: 50 << 20))
        #expect(throws: RawDeflate.Failure.tooLarge) { try RawDeflate.inflate(bomb, limit: 1 << 20) }
        #expect(throws: RawDeflate.Failure.tooLarge) {
            try RawDeflate.inflate(RawDeflate.deflate(text), limit: text.count - 1)
        }
    }

    @Test func `a part is told from the whole`() throws {
        let whole = try RawDeflate.deflate(text)
        for count in [0, 1, whole.count / 2, whole.count - 1] {
            #expect(throws: RawDeflate.Failure.truncated) {
                try RawDeflate.inflate(whole.prefix(count), limit: 1 << 20)
            }
        }
    }

    @Test func `something else is refused`() {
        #expect(throws: RawDeflate.Failure.damaged) { try RawDeflate.inflate(Data([0xff, 0xff, 1, 2, 3]), limit: 99) }
    }
}
