import DataMonkCore
import DataMonkFixtures
import Foundation
import Testing

struct ModelFileMutationTests {
    /// Steele's and Vigna's splitmix64: the same mutations for the same seed on every machine.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    private static let seed: UInt64 = 3

    @Test(.requiresFixtures("models"))
    func `a damaged model file gives an error or a model, never a trap`() throws {
        print("seed \(Self.seed)")
        var random = Random(state: Self.seed)
        let originals = try Fixtures.files(in: "models", endingIn: "/contents").map {
            try Data(contentsOf: Fixtures.url("models/\($0)"))
        }
        for _ in 0..<2000 {
            let original = try #require(originals.randomElement(using: &random))
            let data = mutated(original, &random)
            _ = Result { try ModelBundle.model(fromContents: data, fileName: "contents") }
        }
    }

    /// A few bytes changed, a piece cut out, doubled, or moved in from elsewhere.
    private func mutated(_ original: Data, _ random: inout Random) -> Data {
        var bytes = [UInt8](original)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...60, using: &random))
            let other = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: other)
            default: bytes.replaceSubrange(start..<end, with: bytes[other..<min(bytes.count, other + end - start)])
            }
            if bytes.isEmpty { return Data() }
        }
        return Data(bytes)
    }
}
