import Foundation

/// **Value.** SHA-2 (FIPS 180-4): SHA-256 over words of 32 bits, or SHA-512 over words of 64 bits.
///
///     let digest = SHA2.sha256.hash(Array("abc".utf8))     // 32 bytes
///
/// Version hashes and the checksums of binary stores are made with it. No key is involved, so nothing here runs in constant
/// time.
///
/// The two differ in little more than the size of a word, but each is written out, in plain loops: an application hashes its
/// model at each start. In a debug build, code that is generic over the word takes a hundred times as long. In a release
/// build, words of 32 bits that are held in 64 take several times as long, because no rotation is a single instruction.
enum SHA2: Sendable {
    case sha256, sha512

    /// Returns the digest of a message, 32 or 64 bytes long.
    func hash(_ message: some ContiguousBytes) -> Data {
        message.withUnsafeBytes { message in
            let end = message.count - message.count % blockSize
            let whole = UnsafeRawBufferPointer(rebasing: message[..<end])
            return lastBlocks(of: message, from: end).withUnsafeBytes { last in
                switch self {
                case .sha256: Self.digest256(whole, last)
                case .sha512: Self.digest512(whole, last)
                }
            }
        }
    }

    private var blockSize: Int { self == .sha256 ? 64 : 128 }

    /// Returns the rest of a message as whole blocks. The last one ends with the message's length in bits, after a one bit
    /// and zeros.
    private func lastBlocks(of message: UnsafeRawBufferPointer, from start: Int) -> [UInt8] {
        let rest = message.count - start
        // The length takes two words, of which the last 64 bits suffice.
        let needed = rest + 1 + blockSize / 8
        var bytes = [UInt8](repeating: 0, count: needed > blockSize ? 2 * blockSize : blockSize)
        for index in 0..<rest { bytes[index] = message[start + index] }
        bytes[rest] = 0x80
        let length = UInt64(8 * message.count)
        for index in 1...8 {
            bytes[bytes.count - index] = UInt8(truncatingIfNeeded: length &>> UInt64(8 * (index - 1)))
        }
        return bytes
    }
}

// MARK: SHA-256

extension SHA2 {
    private static func digest256(_ parts: UnsafeRawBufferPointer...) -> Data {
        var state = squareRoots.map { UInt32(truncatingIfNeeded: $0 &>> 32) }
        var schedule = [UInt32](repeating: 0, count: 64)
        for part in parts {
            for offset in stride(from: 0, to: part.count, by: 64) {
                expand(part, offset, into: &schedule)
                mix(&schedule, halfCubeRoots, into: &state)
            }
        }
        return state.map { $0.bigEndian }.withUnsafeBytes { Data($0) }
    }

    /// Makes a word for each round of the 16 words of the block at an offset.
    private static func expand(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, into schedule: UnsafeMutablePointer<UInt32>
    ) {
        var index = 0
        while index < 16 {
            let word = bytes.loadUnaligned(fromByteOffset: offset &+ index &* 4, as: UInt32.self)
            schedule[index] = word.bigEndian
            index &+= 1
        }
        while index < 64 {
            let (early, late) = (schedule[index &- 15], schedule[index &- 2])
            let first = rotated(early, by: 7) ^ rotated(early, by: 18) ^ early &>> 3
            let second = rotated(late, by: 17) ^ rotated(late, by: 19) ^ late &>> 10
            schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
            index &+= 1
        }
    }

    /// Mixes a block into the state, a word a round.
    private static func mix(
        _ schedule: UnsafePointer<UInt32>, _ constants: UnsafePointer<UInt32>,
        into state: UnsafeMutablePointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var round = 0
        while round < 64 {
            let sum1 = rotated(e, by: 6) ^ rotated(e, by: 11) ^ rotated(e, by: 25)
            let sum0 = rotated(a, by: 2) ^ rotated(a, by: 13) ^ rotated(a, by: 22)
            let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ constants[round] &+ schedule[round]
            let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            round &+= 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }
}

// MARK: SHA-512

extension SHA2 {
    private static func digest512(_ parts: UnsafeRawBufferPointer...) -> Data {
        var state = squareRoots
        var schedule = [UInt64](repeating: 0, count: 80)
        for part in parts {
            for offset in stride(from: 0, to: part.count, by: 128) {
                expand(part, offset, into: &schedule)
                mix(&schedule, cubeRoots, into: &state)
            }
        }
        return state.map { $0.bigEndian }.withUnsafeBytes { Data($0) }
    }

    /// Makes a word for each round of the 16 words of the block at an offset.
    private static func expand(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, into schedule: UnsafeMutablePointer<UInt64>
    ) {
        var index = 0
        while index < 16 {
            let word = bytes.loadUnaligned(fromByteOffset: offset &+ index &* 8, as: UInt64.self)
            schedule[index] = word.bigEndian
            index &+= 1
        }
        while index < 80 {
            let (early, late) = (schedule[index &- 15], schedule[index &- 2])
            let first = rotated(early, by: 1) ^ rotated(early, by: 8) ^ early &>> 7
            let second = rotated(late, by: 19) ^ rotated(late, by: 61) ^ late &>> 6
            schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
            index &+= 1
        }
    }

    /// Mixes a block into the state, a word a round.
    private static func mix(
        _ schedule: UnsafePointer<UInt64>, _ constants: UnsafePointer<UInt64>,
        into state: UnsafeMutablePointer<UInt64>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var round = 0
        while round < 80 {
            let sum1 = rotated(e, by: 14) ^ rotated(e, by: 18) ^ rotated(e, by: 41)
            let sum0 = rotated(a, by: 28) ^ rotated(a, by: 34) ^ rotated(a, by: 39)
            let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ constants[round] &+ schedule[round]
            let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            round &+= 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        word &>> count | word &<< (64 &- count)
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

/// The first 32 bits of each: the constants of SHA-256.
private let halfCubeRoots = cubeRoots.map { UInt32(truncatingIfNeeded: $0 &>> 32) }
