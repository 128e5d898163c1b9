import DataMonkCore

/// **Confined.** A pass over the bytes of one JSON value, which becomes a ``/DataMonkCore/ManagedValue``.
///
/// It accepts what RFC 8259 does, with these limits: a name must not occur twice in an object, since one of the values would
/// be lost; a number must fit into 64 bits, or have no more digits than a `Double` or a `Decimal` keeps; values are nested at
/// most ``maximumDepth`` deep. Foundation's readers know no such limits: they keep one of two members, and round numbers. They
/// take whole values only, and a row of a file has to have the same values as one of a small text, so that this parser reads
/// both. No byte is replaced: what is no UTF-8, and half of a surrogate pair, are refused.
struct JSONParser {
    /// The largest number of arrays and objects inside each other. Values are read and released by functions that call
    /// themselves, and a stack has an end.
    static let maximumDepth = 128

    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the members of an object that is all there is in some bytes.
    ///
    /// - Parameter count: The number of members for which there is room from the beginning, as far as the row can have them.
    static func object(
        _ bytes: UnsafeBufferPointer<UInt8>, expecting count: Int
    ) throws(RowProblem) -> [String: ManagedValue] {
        var parser = JSONParser(bytes)
        parser.skipSpace()
        guard parser.peek == UInt8(ascii: "{") else {
            // Report invalid JSON first: that is the more useful error.
            _ = try parser.value(depth: 0)
            throw parser.problem("Expected a JSON object as a row, found another value. Write it as { … }.", at: 0)
        }
        // A member has five bytes at least: `"":1,`.
        let members = try parser.object(depth: 1, expecting: min(count, bytes.count / 5))
        try parser.finish()
        return members
    }

    /// Returns the value that is all there is in some bytes.
    static func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowProblem) -> ManagedValue {
        var parser = JSONParser(bytes)
        parser.skipSpace()
        let value = try parser.value(depth: 0)
        try parser.finish()
        return value
    }

    /// Throws the problem of a text that is no value inside of so many arrays and objects: stores and conditions take more than
    /// a parser of rows does.
    static func check(_ text: String, inside depth: Int) throws(RowProblem) {
        var text = text
        let problem: RowProblem? = text.withUTF8 { bytes in
            do throws(RowProblem) {
                var parser = JSONParser(bytes)
                parser.skipSpace()
                _ = try parser.value(depth: depth)
                try parser.finish()
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }

    private mutating func finish() throws(RowProblem) {
        skipSpace()
        guard place == bytes.count else {
            throw problem("Something follows the value. Put one value in each place.", at: place)
        }
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(RowProblem) -> ManagedValue {
        switch peek {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .dictionary(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try array(depth: depth + 1))
        case UInt8(ascii: "t"): return try word("true", for: .bool(true))
        case UInt8(ascii: "f"): return try word("false", for: .bool(false))
        case UInt8(ascii: "n"): return try word("null", for: .null)
        case nil: throw problem("The text ends where a value is expected. Part of it may be missing.", at: place)
        case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10: return try number()
        default: throw problem("This is no JSON value. Texts, too, need quotation marks.", at: place)
        }
    }

    private mutating func object(
        depth: Int, expecting count: Int = 0
    ) throws(RowProblem) -> [String: ManagedValue] {
        try open(depth)
        if take(UInt8(ascii: "}")) { return [:] }
        var members = [String: ManagedValue](minimumCapacity: count)
        while true {
            guard peek == UInt8(ascii: "\"") else {
                throw problem("A member's name is expected here, in quotation marks.", at: place)
            }
            let start = place
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else {
                throw problem("A colon is expected after a member's name.", at: place)
            }
            skipSpace()
            let value = try value(depth: depth)
            guard members.updateValue(value, forKey: name) == nil else {
                throw problem(
                    "An object has two members of one name, so one value would be lost. Rename one.", at: start, name)
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            try separate("}")
        }
    }

    private mutating func array(depth: Int) throws(RowProblem) -> [ManagedValue] {
        try open(depth)
        var elements: [ManagedValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            try separate("]")
        }
    }

    private mutating func open(_ depth: Int) throws(RowProblem) {
        guard depth <= Self.maximumDepth else {
            throw problem(
                "Values are nested more than \(Self.maximumDepth) deep. Keep the inner ones as text.", at: place)
        }
        place += 1
        skipSpace()
    }

    private mutating func separate(_ end: Character) throws(RowProblem) {
        guard take(UInt8(ascii: ",")) else { throw problem("A comma or \(end) is expected here.", at: place) }
        skipSpace()
    }

    private mutating func word(_ word: StaticString, for value: ManagedValue) throws(RowProblem) -> ManagedValue {
        let start = place
        for index in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[index]) {
            throw problem("This is no JSON value. Did you mean \(word)?", at: start)
        }
        return value
    }

    // MARK: Bytes

    var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    mutating func skipSpace() {
        while place < bytes.count, bytes[place] <= 0x20 {
            switch bytes[place] {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            default: return
            }
        }
    }

    func problem(_ message: String, at offset: Int, _ key: String? = nil) -> RowProblem {
        RowProblem(message: message, offset: offset, key: key)
    }
}

@available(*, unavailable)
extension JSONParser: Sendable {}
