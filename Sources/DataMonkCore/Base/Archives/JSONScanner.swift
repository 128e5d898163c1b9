/// **Value.** One value in a JSON text, as far as conditions compare it.
package enum JSONPart: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    /// An array or an object: its text without white space.
    case container(String)
}

/// **Value.** The value that a path of names leads to in a JSON text.
package struct JSONMatch: Sendable, Hashable {
    package let value: JSONPart
    /// The elements of an array or the values of an object. Any other value is its own only element.
    package let elements: [JSONPart]
    package let isArray: Bool
}

/// **Confined.** A pass over a JSON text, which finds the value at a path of names and checks the text to its end.
///
/// It accepts what RFC 8259 does, to a depth of 1,000, and answers as SQLite's functions do, which serve the same
/// conditions in a database: of several members with one name the first counts, an integer beyond 64 bits is a double,
/// and names are compared as they are written, escapes included.
package struct JSONScanner {
    /// **Value.** The text is not JSON.
    private struct Invalid: Error {}

    private static let maximumDepth = 1_000

    private let text: UnsafeRawBufferPointer
    private var place = 0

    private init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Returns `true` if a text is JSON.
    package static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        var scanner = JSONScanner(text)
        do {
            _ = try scanner.scanText(nil)
            return true
        } catch {
            return false
        }
    }

    /// Returns the value at a path, or `nil` if there is none or if the text is not JSON.
    package static func find(_ names: [String], in text: UnsafeRawBufferPointer) -> JSONMatch? {
        var scanner = JSONScanner(text)
        do {
            return try scanner.scanText(names[...])
        } catch {
            return nil
        }
    }

    /// - Parameter names: The path to the value to return; `nil` to return none.
    private mutating func scanText(_ names: ArraySlice<String>?) throws(Invalid) -> JSONMatch? {
        skipSpace()
        let match = try scanValue(names)
        skipSpace()
        guard place == text.count else { throw Invalid() }
        return match
    }

    private mutating func scanValue(_ names: ArraySlice<String>?) throws(Invalid) -> JSONMatch? {
        guard let names else {
            try skipValue()
            return nil
        }
        guard let name = names.first else { return try match() }
        guard peek == UInt8(ascii: "{") else {
            try skipValue()
            return nil
        }
        var found: JSONMatch?
        var isKnown = false
        try scanObject { scanner, key throws(Invalid) in
            let isNext = !isKnown && key.elementsEqual(name.utf8)
            if isNext { isKnown = true }
            let match = try scanner.scanValue(isNext ? names.dropFirst() : nil)
            if isNext { found = match }
        }
        return found
    }

    private mutating func match() throws(Invalid) -> JSONMatch {
        let start = place
        var elements: [JSONPart] = []
        switch peek {
        case UInt8(ascii: "["):
            try scanArray { scanner throws(Invalid) in elements.append(try scanner.part()) }
        case UInt8(ascii: "{"):
            try scanObject { scanner, _ throws(Invalid) in elements.append(try scanner.part()) }
        default:
            let part = try part()
            return JSONMatch(value: part, elements: [part], isArray: false)
        }
        return JSONMatch(
            value: .container(compacted(start..<place)), elements: elements, isArray: text[start] == UInt8(ascii: "["))
    }

    private mutating func part() throws(Invalid) -> JSONPart {
        let start = place
        try skipValue()
        switch text[start] {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "\""): return .string(unescaped((start + 1)..<(place - 1)))
        case UInt8(ascii: "["), UInt8(ascii: "{"): return .container(compacted(start..<place))
        default:
            let digits = String(decoding: text[start..<place], as: UTF8.self)
            return Int64(digits).map { .int($0) } ?? .double(Double(digits) ?? 0)
        }
    }
}

// MARK: Grammar

extension JSONScanner {
    private var peek: UInt8? { place < text.count ? text[place] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    private mutating func take(_ byte: UInt8) throws(Invalid) {
        guard peek == byte else { throw Invalid() }
        place += 1
    }

    /// Skips a value of any depth without recursion, which hostile text would take to the end of the stack.
    private mutating func skipValue() throws(Invalid) {
        // The closing brackets of the containers that are open.
        var open: [UInt8] = []
        while true {
            if let closing = openContainer() {
                open.append(closing)
                guard open.count <= Self.maximumDepth else { throw Invalid() }
                skipSpace()
                if peek != closing {
                    if closing == UInt8(ascii: "}") { try skipName() }
                    continue
                }
            } else {
                try skipScalar()
            }
            close(&open)
            guard let closing = open.last else { return }
            try take(UInt8(ascii: ","))
            skipSpace()
            if closing == UInt8(ascii: "}") { try skipName() }
        }
    }

    /// Returns the closing bracket of the container that begins here, or `nil` if none does.
    private mutating func openContainer() -> UInt8? {
        guard peek == UInt8(ascii: "{") || peek == UInt8(ascii: "[") else { return nil }
        defer { place += 1 }
        return peek == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
    }

    /// Closes the containers that end here.
    private mutating func close(_ open: inout [UInt8]) {
        while let closing = open.last {
            skipSpace()
            guard peek == closing else { return }
            place += 1
            open.removeLast()
        }
    }

    private mutating func skipScalar() throws(Invalid) {
        switch peek {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: try skipNumber()
        }
    }

    /// Skips a member's name up to its value, and returns its bytes.
    @discardableResult
    private mutating func skipName() throws(Invalid) -> Slice<UnsafeRawBufferPointer> {
        let name = try string()
        skipSpace()
        try take(UInt8(ascii: ":"))
        skipSpace()
        return name
    }

    private mutating func scanArray(
        _ element: (inout JSONScanner) throws(Invalid) -> Void
    ) throws(Invalid) {
        try scanContainer(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), element)
    }

    /// - Parameter member: Receives the bytes of a member's name; the scanner is at its value.
    private mutating func scanObject(
        _ member: (inout JSONScanner, Slice<UnsafeRawBufferPointer>) throws(Invalid) -> Void
    ) throws(Invalid) {
        try scanContainer(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { scanner throws(Invalid) in
            try member(&scanner, try scanner.skipName())
        }
    }

    private mutating func scanContainer(
        from start: UInt8, to end: UInt8, _ element: (inout JSONScanner) throws(Invalid) -> Void
    ) throws(Invalid) {
        try take(start)
        skipSpace()
        if peek != end {
            while true {
                try element(&self)
                skipSpace()
                if peek == end { break }
                try take(UInt8(ascii: ","))
                skipSpace()
            }
        }
        place += 1
    }

    /// Returns the bytes between the quotation marks.
    private mutating func string() throws(Invalid) -> Slice<UnsafeRawBufferPointer> {
        try take(UInt8(ascii: "\""))
        let start = place
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return text[start..<(place - 1)]
            case UInt8(ascii: "\\"): try skipEscape()
            case ..<0x20: throw Invalid()
            default: place += 1
            }
        }
        throw Invalid()
    }

    private mutating func skipEscape() throws(Invalid) {
        place += 1
        guard let byte = peek else { throw Invalid() }
        place += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                guard let digit = peek, Character(Unicode.Scalar(digit)).isHexDigit, digit < 0x80 else {
                    throw Invalid()
                }
                place += 1
            }
        } else if !#""\/bfnrt"#.utf8.contains(byte) {
            throw Invalid()
        }
    }

    private mutating func skip(_ word: StaticString) throws(Invalid) {
        for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
    }

    private mutating func skipNumber() throws(Invalid) {
        if peek == UInt8(ascii: "-") { place += 1 }
        if peek == UInt8(ascii: "0") { place += 1 } else { try skipDigits() }
        if peek == UInt8(ascii: ".") {
            place += 1
            try skipDigits()
        }
        guard peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") else { return }
        place += 1
        if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { place += 1 }
        try skipDigits()
    }

    private mutating func skipDigits() throws(Invalid) {
        let start = place
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > start else { throw Invalid() }
    }
}

// MARK: Texts

extension JSONScanner {
    /// Returns the text of a valid part without the white space between its tokens.
    private func compacted(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var isInString = false
        var isEscaped = false
        for byte in text[range] {
            if !isInString, byte <= 0x20 { continue }
            bytes.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the contents of a valid string.
    private func unescaped(_ range: Range<Int>) -> String {
        guard text[range].contains(UInt8(ascii: "\\")) else { return String(decoding: text[range], as: UTF8.self) }
        var units: [UInt16] = []
        var place = range.lowerBound
        var plainStart = place
        func appendPlain(to end: Int) {
            units.append(contentsOf: String(decoding: text[plainStart..<end], as: UTF8.self).utf16)
        }
        while place < range.upperBound {
            guard text[place] == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            appendPlain(to: place)
            let (unit, length) = escaped(at: place)
            units.append(unit)
            place += length
            plainStart = place
        }
        appendPlain(to: range.upperBound)
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the UTF-16 unit of a valid escape, and the number of its bytes.
    private func escaped(at place: Int) -> (unit: UInt16, length: Int) {
        switch text[place + 1] {
        case UInt8(ascii: "u"):
            let digits = String(decoding: text[(place + 2)..<(place + 6)], as: UTF8.self)
            return (UInt16(digits, radix: 16) ?? 0xFFFD, 6)
        case UInt8(ascii: "b"): return (0x08, 2)
        case UInt8(ascii: "f"): return (0x0C, 2)
        case UInt8(ascii: "n"): return (0x0A, 2)
        case UInt8(ascii: "r"): return (0x0D, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        default: return (UInt16(text[place + 1]), 2)
        }
    }
}

@available(*, unavailable)
extension JSONScanner: Sendable {}
