import Foundation

/// **Value.** Splits a format string into tokens.
///
///     age >= %d AND name ==[c] "Monk"
///     ^^^ ^^ ^^ ^^^ ^^^^ ^^ ^ ^ ^^^^^^
struct FormatLexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    /// The maximum number of characters in a format string. Long queries consist mostly of lists, which are passed as
    /// arguments.
    static let maximumLength = 1 << 18

    init(_ format: String) throws(FetchError) {
        scalars = Array(format.unicodeScalars)
        guard scalars.count <= Self.maximumLength else {
            throw .format(
                """
                The format has \(scalars.count) characters, but the maximum is \(Self.maximumLength). Pass long lists \
                as arguments of %@.
                """,
                at: Self.maximumLength)
        }
    }

    /// Returns every token, ending with `.end`.
    mutating func tokens() throws(FetchError) -> [FormatToken] {
        var tokens: [FormatToken] = []
        while true {
            while let scalar = peek, scalar.properties.isWhitespace { index += 1 }
            let offset = index
            guard let scalar = peek else {
                tokens.append(FormatToken(kind: .end, offset: offset))
                return tokens
            }
            tokens.append(FormatToken(kind: try next(from: scalar), offset: offset))
        }
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func next(from scalar: Unicode.Scalar) throws(FetchError) -> FormatToken.Kind {
        switch scalar {
        case "\"", "'": return .text(try text(endingWith: scalar))
        case "%": return try placeholder()
        case "$":
            index += 1
            return .variable(try name(after: "$"))
        case "@":
            index += 1
            return .collectionOperator("@" + (try name(after: "@")))
        case "#":
            index += 1
            return .escapedName(try name(after: "#"))
        case "0"..."9": return .number(try number())
        case "." where peek(1)?.isDigit == true: return .number(try number())
        default:
            if scalar.isNameStart { return .name(readName()) }
            return .symbol(try symbol(scalar))
        }
    }

    // MARK: Names

    /// Reads a name, or quoted text as a name.
    private mutating func name(after sign: String) throws(FetchError) -> String {
        if let quote = peek, quote == "\"" || quote == "'" { return try text(endingWith: quote) }
        guard let scalar = peek, scalar.isNameStart else { throw .format("Expected a name after \(sign).", at: index) }
        return readName()
    }

    private mutating func readName() -> String {
        let start = index
        while let scalar = peek, scalar.isNameStart || scalar.properties.isXIDContinue { index += 1 }
        return string(start..<index)
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    // MARK: Text

    private mutating func text(endingWith quote: Unicode.Scalar) throws(FetchError) -> String {
        let start = index
        index += 1
        var view = String.UnicodeScalarView()
        while let scalar = peek {
            index += 1
            if scalar == quote { return String(view) }
            view.append(scalar == "\\" ? try escape() : scalar)
        }
        throw .format("The text that begins here has no closing \(quote).", at: start)
    }

    private mutating func escape() throws(FetchError) -> Unicode.Scalar {
        guard let scalar = peek else { throw .format("Expected a character after the \\.", at: index) }
        index += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "0": return "\0"
        case "u", "x": return try code(scalar == "u" ? 4 : 2)
        default: return scalar
        }
    }

    private mutating func code(_ count: Int) throws(FetchError) -> Unicode.Scalar {
        let start = index
        index = min(index + count, scalars.count)
        guard let value = UInt32(string(start..<index), radix: 16), index - start == count,
            let scalar = Unicode.Scalar(value)
        else { throw .format("\\\(count == 4 ? "u" : "x") requires \(count) hexadecimal digits.", at: start) }
        return scalar
    }

    // MARK: Numbers

    private mutating func number() throws(FetchError) -> FormatToken.Number {
        let start = index
        if peek == "0", let radix = Self.radixes[peek(1) ?? " "] {
            index += 2
            let digits = index
            readDigits()
            guard let value = UInt64(string(digits..<index), radix: radix) else {
                throw .format("This number is out of range.", at: start)
            }
            return .whole(value)
        }
        readDigits()
        // The point may begin or end the number: ".5", "10.". A name after it would be a key.
        let isWhole = peek != "." || peek(1)?.isNameStart == true
        if !isWhole {
            index += 1
            readDigits()
        }
        // "1e-5": readDigits has already consumed the e.
        if let last = scalars[..<index].last, last == "e" || last == "E", peek == "-" || peek == "+" {
            index += 1
            readDigits()
        }
        let text = Self.completed(string(start..<index))
        if isWhole, let value = UInt64(text) { return .whole(value) }
        if isWhole, text.allSatisfy(\.isNumber),
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !decimal.isNaN
        {
            return .decimal(decimal)
        }
        guard let value = Double(text) else { throw .format("This is not a number.", at: start) }
        return .fraction(value)
    }

    /// Returns the number with a digit on either side of its point.
    private static func completed(_ number: String) -> String {
        var number = number
        if number.first == "." { number = "0" + number }
        if number.last == "." { number += "0" }
        return number
    }

    private mutating func readDigits() {
        while let scalar = peek, scalar.properties.isXIDContinue { index += 1 }
    }

    private static let radixes: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "b": 2]

    // MARK: Signs

    private mutating func symbol(_ scalar: Unicode.Scalar) throws(FetchError) -> String {
        if let following = peek(1), let symbol = Self.pairs["\(scalar)\(following)"] {
            index += 2
            return symbol
        }
        guard let symbol = Self.singles[scalar] else {
            if let function = Self.bitwise[scalar] {
                throw .format("There is no operator \(scalar). Use the function \(function) instead.", at: index)
            }
            throw .format(
                "Unexpected character U+\(String(scalar.value, radix: 16, uppercase: true)).", at: index)
        }
        index += 1
        return symbol
    }

    private static let pairs = [
        "==": "==", "!=": "!=", "<>": "!=", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "&&": "&&", "||": "||",
        "**": "**", ":=": ":=",
    ]
    private static let singles: [Unicode.Scalar: String] = [
        "=": "==", "<": "<", ">": ">", "!": "!", "+": "+", "-": "-", "*": "*", "/": "/", "(": "(", ")": ")", "{": "{",
        "}": "}", "[": "[", "]": "]", ",": ",", ".": ".", ":": ":",
    ]

    private static let bitwise: [Unicode.Scalar: String] = [
        "&": "bitwiseAnd:with:, or AND between conditions,", "|": "bitwiseOr:with:, or OR between conditions,",
        "^": "bitwiseXor:with:, or ** for a power,", "~": "onesComplement:",
    ]

    private mutating func placeholder() throws(FetchError) -> FormatToken.Kind {
        let start = index
        index += 1
        while let scalar = peek, "hlqLztj".unicodeScalars.contains(scalar) { index += 1 }
        defer { index += 1 }
        switch peek {
        case "%" where index == start + 1: return .symbol("%%")
        case "@": return .placeholder(.value)
        case "K": return .placeholder(.keyPath)
        case "d", "i", "u", "x", "X", "o", "c", "D", "U", "O": return .placeholder(.integer)
        case "f", "F", "g", "G", "e", "E", "a", "A": return .placeholder(.number)
        case "s", "S": return .placeholder(.text)
        default: throw .format("There is no such placeholder. Use %@, %K, %d, %f or %s.", at: start)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isNameStart: Bool { self == "_" || properties.isXIDStart }

    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension FetchError {
    /// Returns the error for an invalid format string.
    static func format(_ message: String, at offset: Int) -> FetchError {
        FetchError(.invalidFormat, "The format string is invalid at character \(offset + 1): \(message)")
    }
}
