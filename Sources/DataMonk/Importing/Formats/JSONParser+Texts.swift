extension JSONParser {
    /// Reads a text from its quotation mark on.
    mutating func string() throws(RowProblem) -> String {
        let start = place + 1
        place = start
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                place += 1
                return try text(start..<(place - 1))
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if byte < 0x20 { throw controlCharacter }
            place += 1
        }
        throw unended(start - 1)
    }

    /// Returns bytes as text, which they must be.
    private func text(_ range: Range<Int>) throws(RowProblem) -> String {
        if let text = String(utf8: UnsafeBufferPointer(rebasing: bytes[range])) { return text }
        throw problem(Self.notUTF8, at: range.lowerBound + UTF8Check.validCount(of: bytes[range]))
    }

    static let notUTF8 = "This byte is no part of UTF-8. Convert the text to UTF-8."

    private var controlCharacter: RowProblem {
        problem("A text has a control character here. Write it as an escape, such as \\n or \\u0000.", at: place)
    }

    private func unended(_ start: Int) -> RowProblem {
        problem("A text has no end. A quotation mark may be missing.", at: start)
    }

    // MARK: Escapes

    /// Reads a text with escapes, the first of which is here.
    private mutating func escapedString(from start: Int) throws(RowProblem) -> String {
        var decoded: [UInt8] = []
        var plainStart = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                // Checked part by part, so that a problem has its place: an escape is never part of a character.
                decoded.append(contentsOf: try plain(plainStart..<place))
                place += 1
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: try plain(plainStart..<place))
                try appendEscaped(to: &decoded)
                plainStart = place
            case ..<0x20: throw controlCharacter
            default: place += 1
            }
        }
        throw unended(start - 1)
    }

    private func plain(_ range: Range<Int>) throws(RowProblem) -> Slice<UnsafeBufferPointer<UInt8>> {
        let valid = UTF8Check.validCount(of: bytes[range])
        guard valid == range.count else { throw problem(Self.notUTF8, at: range.lowerBound + valid) }
        return bytes[range]
    }

    private mutating func appendEscaped(to decoded: inout [UInt8]) throws(RowProblem) {
        let start = place
        guard place + 1 < bytes.count else { throw unended(start) }
        let byte = bytes[place + 1]
        place += 2
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"): decoded.append(contentsOf: String(try scalar(from: start)).utf8)
        default: throw problem("JSON has no such escape. Write a backslash twice.", at: start)
        }
    }

    /// Reads the digits of one `\u`, or of the two of a surrogate pair.
    private mutating func scalar(from start: Int) throws(RowProblem) -> Unicode.Scalar {
        let first = try hexadecimal(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let loneSurrogate = problem("This escape is half of a surrogate pair. Write both halves.", at: start)
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw loneSurrogate }
        let second = try hexadecimal(from: place - 2)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw loneSurrogate }
        return scalar
    }

    private mutating func hexadecimal(from start: Int) throws(RowProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Self.digit(byte) else {
                throw problem("\\u needs four hexadecimal digits.", at: start)
            }
            value = value << 4 | digit
            place += 1
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
