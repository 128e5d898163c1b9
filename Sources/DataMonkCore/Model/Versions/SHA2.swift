import Foundation

/// The parameters of SHA-2 over words of one size (FIPS 180-4, sections 4.1, 5.3 and 6).
protocol SHA2Word: FixedWidthInteger, UnsignedInteger {
    /// The rotations of Σ0, Σ1, σ0 and σ1. The last of σ0 and σ1 is a shift.
    static var rotations: (Rotations, Rotations, Rotations, Rotations) { get }
    typealias Rotations = (Self, Self, Self)
    /// The state before the first block.
    static var initialState: [Self] { get }
    /// The constant of each round.
    static var constants: [Self] { get }
}

extension UInt32: SHA2Word {
    static var rotations: (Rotations, Rotations, Rotations, Rotations) {
        ((2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10))
    }
    static let initialState = squareRoots.map { UInt32($0 >> 32) }
    static let constants = cubeRoots.prefix(64).map { UInt32($0 >> 32) }
}

extension UInt64: SHA2Word {
    static var rotations: (Rotations, Rotations, Rotations, Rotations) {
        ((28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6))
    }
    static let initialState = squareRoots
    static let constants = cubeRoots
}

typealias SHA256 = SHA2<UInt32>
typealias SHA512 = SHA2<UInt64>

/// **Value.** A SHA-2 digest being computed: SHA-256 over 32-bit words, SHA-512 over 64-bit words.
///
/// Its only use is version hashes. No key is involved, so nothing here runs in constant time.
///
///     var hash = SHA256()
///     hash.update(Data("abc".utf8))
///     let digest = hash.finalize()             // 32 bytes
///
/// A message is hashed in blocks of 16 words. The last block ends with the message's length in bits, after a one bit and
/// zeros as padding.
struct SHA2<Word: SHA2Word> {
    private static var wordSize: Int { Word.bitWidth / 8 }
    private static var blockSize: Int { 16 * wordSize }

    private var state = Word.initialState
    private var schedule = [Word](repeating: 0, count: Word.constants.count)
    /// Bytes that do not fill a block yet.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    init() { pending.reserveCapacity(Self.blockSize) }

    /// Returns the digest of `bytes`.
    static func hash(_ bytes: some Collection<UInt8>) -> Data {
        var hash = Self()
        hash.update(bytes)
        return hash.finalize()
    }

    /// Adds bytes to the message.
    mutating func update(_ bytes: some Collection<UInt8>) {
        byteCount += UInt64(bytes.count)
        absorb(bytes)
    }

    /// Finishes the message.
    ///
    /// - Returns: The digest of all bytes added, 32 or 64 bytes long.
    mutating func finalize() -> Data {
        let bitCount = byteCount * 8
        // The length takes two words, of which the first is zero: no message has 2^61 bytes.
        var padding: [UInt8] = [0x80]
        while (pending.count + padding.count + 8) % Self.blockSize != 0 || padding.count < 2 * Self.wordSize - 7 {
            padding.append(0)
        }
        padding.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) })
        absorb(padding)
        return Data(
            state.flatMap { word in
                (0..<Self.wordSize).map { UInt8(truncatingIfNeeded: word >> Word(Word.bitWidth - 8 - 8 * $0)) }
            })
    }

    private mutating func absorb(_ bytes: some Collection<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            if pending.count == Self.blockSize {
                compress()
                pending.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Mixes the pending block into the state.
    private mutating func compress() {
        let constants = Word.constants
        let (sum0, sum1, expansion0, expansion1) = Word.rotations
        for index in 0..<16 {
            var word: Word = 0
            for byte in pending[index * Self.wordSize..<(index + 1) * Self.wordSize] { word = word << 8 | Word(byte) }
            schedule[index] = word
        }
        for index in 16..<constants.count {
            schedule[index] =
                schedule[index - 16] &+ Self.expand(schedule[index - 15], by: expansion0)
                &+ schedule[index - 7] &+ Self.expand(schedule[index - 2], by: expansion1)
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<constants.count {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ Self.rotate(e, by: sum1) &+ choice &+ constants[index] &+ schedule[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = Self.rotate(a, by: sum0) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    @inline(__always)
    private static func rotate(_ word: Word, by: Word.Rotations) -> Word {
        rotated(word, by: by.0) ^ rotated(word, by: by.1) ^ rotated(word, by: by.2)
    }

    @inline(__always)
    private static func expand(_ word: Word, by: Word.Rotations) -> Word {
        rotated(word, by: by.0) ^ rotated(word, by: by.1) ^ word &>> by.2
    }

    @inline(__always)
    private static func rotated(_ word: Word, by count: Word) -> Word {
        word &>> count | word &<< (Word(Word.bitWidth) &- count)
    }
}

/// The first 64 bits of the fractional parts of the square roots of the first 8 primes: the initial state. SHA-256 uses the
/// first 32 bits of each.
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
