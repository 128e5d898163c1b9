import Foundation

/// **Value.** SHA-2 (FIPS 180-4): SHA-256 over words of 32 bits, or SHA-512 over words of 64 bits.
///
///     let digest = SHA2.sha256.hash(Array("abc".utf8))     // 32 bytes
///
/// Version hashes and the checksums of binary stores are made with it. No key is involved, so nothing here runs in constant
/// time.
///
/// Words of either size are held in 64 bits, and the loops are plain ones: an application's debug build hashes its model at
/// each start, and there code that is generic over the word takes a hundred times as long.
struct SHA2: Sendable {
    typealias Rotations = (UInt64, UInt64, UInt64)

    private let roundCount: Int
    /// The size of a word in bytes and in bits, and all of its bits.
    private let wordSize: Int, bitWidth: UInt64, mask: UInt64
    /// The rotations of Σ0, Σ1, σ0 and σ1. The last of σ0 and σ1 is a shift.
    private let sum0: Rotations, sum1: Rotations
    private let expansion0: Rotations, expansion1: Rotations

    static let sha256 = SHA2(
        roundCount: 64, wordSize: 4, bitWidth: 32, mask: 0xffff_ffff, sum0: (2, 13, 22), sum1: (6, 11, 25),
        expansion0: (7, 18, 3), expansion1: (17, 19, 10))
    static let sha512 = SHA2(
        roundCount: 80, wordSize: 8, bitWidth: 64, mask: .max, sum0: (28, 34, 39), sum1: (14, 18, 41),
        expansion0: (1, 8, 7), expansion1: (19, 61, 6))

    private var blockSize: Int { 16 * wordSize }

    /// Returns the digest of a message, 32 or 64 bytes long.
    func hash(_ message: some ContiguousBytes) -> Data {
        message.withUnsafeBytes { message in
            var state = squareRoots.map { $0 &>> (64 &- bitWidth) }
            var schedule = [UInt64](repeating: 0, count: roundCount)
            let end = message.count - message.count % blockSize
            mix(UnsafeRawBufferPointer(rebasing: message[..<end]), into: &state, &schedule)
            padded(message[end...], of: message.count).withUnsafeBytes { mix($0, into: &state, &schedule) }
            var digest = Data(capacity: 8 * wordSize)
            for word in state {
                withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0.suffix(wordSize)) }
            }
            return digest
        }
    }

    /// Returns what remains of a message as whole blocks. The last one ends with the message's length in bits, after a one
    /// bit and zeros.
    private func padded(_ rest: Slice<UnsafeRawBufferPointer>, of count: Int) -> [UInt8] {
        // The length takes two words, of which the last 64 bits suffice.
        let needed = rest.count + 1 + 2 * wordSize
        var bytes = [UInt8](repeating: 0, count: (needed + blockSize - 1) / blockSize * blockSize)
        bytes.replaceSubrange(..<rest.count, with: rest)
        bytes[rest.count] = 0x80
        withUnsafeBytes(of: UInt64(8 * count).bigEndian) { bytes.replaceSubrange((bytes.count - 8)..., with: $0) }
        return bytes
    }

    /// Mixes whole blocks into the state.
    private func mix(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt64], _ schedule: inout [UInt64]) {
        for offset in stride(from: 0, to: blocks.count, by: blockSize) {
            mix(blocks, offset, into: &state, cubeRoots, &schedule)
        }
    }

    /// Mixes the block at an offset into the state.
    ///
    /// - Parameter schedule: Room for a word a round.
    private func mix(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, into state: UnsafeMutablePointer<UInt64>,
        _ constants: UnsafePointer<UInt64>, _ schedule: UnsafeMutablePointer<UInt64>
    ) {
        expand(bytes, offset, into: schedule)
        let shift = 64 &- bitWidth
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var round = 0
        while round < roundCount {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ rotations(of: e, by: sum1) &+ choice &+ constants[round] &>> shift &+ schedule[round]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = rotations(of: a, by: sum0) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, (d &+ first) & mask, c, b, a, (first &+ second) & mask)
            round &+= 1
        }
        state[0] = (state[0] &+ a) & mask
        state[1] = (state[1] &+ b) & mask
        state[2] = (state[2] &+ c) & mask
        state[3] = (state[3] &+ d) & mask
        state[4] = (state[4] &+ e) & mask
        state[5] = (state[5] &+ f) & mask
        state[6] = (state[6] &+ g) & mask
        state[7] = (state[7] &+ h) & mask
    }

    /// Makes a word for each round of the 16 words of a block.
    private func expand(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, into schedule: UnsafeMutablePointer<UInt64>
    ) {
        var index = 0
        while index < 16 {
            let place = offset &+ index &* wordSize
            schedule[index] =
                wordSize == 4
                ? UInt64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).bigEndian)
                : bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian
            index &+= 1
        }
        while index < roundCount {
            let sum =
                schedule[index &- 16] &+ shifted(schedule[index &- 15], by: expansion0)
                &+ schedule[index &- 7] &+ shifted(schedule[index &- 2], by: expansion1)
            schedule[index] = sum & mask
            index &+= 1
        }
    }

    private func rotations(of word: UInt64, by: Rotations) -> UInt64 {
        rotated(word, by: by.0) ^ rotated(word, by: by.1) ^ rotated(word, by: by.2)
    }

    private func shifted(_ word: UInt64, by: Rotations) -> UInt64 {
        rotated(word, by: by.0) ^ rotated(word, by: by.1) ^ word &>> by.2
    }

    private func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        (word &>> count | word &<< (bitWidth &- count)) & mask
    }
}

/// The first 64 bits of the fractional parts of the square roots of the first 8 primes: the initial state. SHA-256 uses the
/// first 32 bits of each, here and below.
private let squareRoots: [UInt64] = [
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes: the constants of the rounds.
private let cubeRoots: [UInt64] = [
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
]
