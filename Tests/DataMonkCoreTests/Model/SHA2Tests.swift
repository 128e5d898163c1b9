import Foundation
import Testing

@testable import DataMonkCore

/// SHA-256 and SHA-512 against the vectors of FIPS 180-4 and its examples.
@Suite struct SHA2Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 of the standard's examples`(message: String, digest: String) {
        #expect(hexadecimal(SHA2.sha256.hash(Array(message.utf8))) == digest)
    }

    @Test(arguments: [
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        ),
    ])
    func `SHA-512 of the standard's examples`(message: String, digest: String) {
        #expect(hexadecimal(SHA2.sha512.hash(Array(message.utf8))) == digest)
    }

    /// Every place at which a message can end within a block: the digest of the digests of 300 messages, worked out by
    /// another implementation.
    @Test func `messages of every length`() {
        #expect(
            digestOfDigests(.sha256) == "fa70b867db0a30acb7218d62945db0df52eb393808b30675ea9aac6b058a9a9d")
        #expect(
            digestOfDigests(.sha512)
                == "5876909c163eee9aa8e3e0dbbe23ff09a3b1c1690c50ecab0cf75109b7ea0931"
                + "80f3b1db84ac4671a35db7394d95e9b645b20209761dc874ec013385e1db7916")
    }

    private func digestOfDigests(_ hash: SHA2) -> String {
        hexadecimal(hash.hash((0..<300).flatMap { length in hash.hash((0..<length).map { UInt8($0 % 251) }) }))
    }

    private func hexadecimal(_ digest: Data) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
