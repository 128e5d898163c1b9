/// **Value.** Makes keys of what a terminal sends, in whatever parts it arrives.
///
/// A lone escape may be the key, or the beginning of a sequence whose rest has not arrived. It is kept until more comes, or
/// until ``flush()`` says that nothing will.
struct KeyParser: Sendable {
    private var pending: [UInt8] = []
    /// A sequence that no terminal sends is dropped at this length.
    private static let longestSequence = 64

    /// A Boolean value indicating whether bytes wait for more.
    var isWaiting: Bool { !pending.isEmpty }

    /// Returns the keys that are complete with further bytes.
    mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        var rest = pending[...]
        while !rest.isEmpty, let length = Self.next(in: rest, &keys) { rest = rest.dropFirst(length) }
        pending = Array(rest)
        return keys
    }

    /// Returns the keys of what was kept, since nothing follows it.
    mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// Takes the first key, and returns the number of its bytes; `nil` if they are incomplete.
    private static func next(in bytes: ArraySlice<UInt8>, _ keys: inout [Key]) -> Int? {
        let first = bytes[bytes.startIndex]
        if first == 0x1B { return escape(in: bytes, &keys) }
        if first < 0x20 || first == 0x7F {
            keys.append(control(first))
            return 1
        }
        let length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0
        if length == 0 { return 1 }  // No text begins like this.
        if bytes.count < length { return nil }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else { return 1 }
        keys += text.map(Key.character)
        return length
    }

    private static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x0A, 0x0D: .enter
        case 0x09: .tab
        case 0x08, 0x7F: .backspace
        default: .control(Character(Unicode.Scalar(byte + 0x60)))
        }
    }

    private static func escape(in bytes: ArraySlice<UInt8>, _ keys: inout [Key]) -> Int? {
        let rest = bytes.dropFirst()
        guard let second = rest.first else { return nil }
        if second != UInt8(ascii: "["), second != UInt8(ascii: "O") {
            keys.append(.escape)
            return 1
        }
        // Parameters, then the letter that ends the sequence.
        guard let end = rest.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return bytes.count > longestSequence ? bytes.count : nil
        }
        let parameters = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
        if let key = key(Character(Unicode.Scalar(bytes[end])), parameters) { keys.append(key) }
        return end - bytes.startIndex + 1
    }

    private static func key(_ letter: Character, _ parameters: String) -> Key? {
        switch (letter, parameters.prefix { $0 != ";" }) {
        case ("A", _): .up
        case ("B", _): .down
        case ("C", _): .right
        case ("D", _): .left
        case ("H", _), ("~", "1"), ("~", "7"): .home
        case ("F", _), ("~", "4"), ("~", "8"): .end
        case ("~", "5"): .pageUp
        case ("~", "6"): .pageDown
        case ("~", "3"): .delete
        default: nil
        }
    }
}
