/// **Value.** Cuts a Swift file into tokens, so that rules look at code and neither at comments nor at texts.
///
/// It knows as much of Swift's lexical structure as the rules need: nested comments; strings of all kinds with code
/// inside; regular expressions; lines with `#if`, which it leaves out.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// Whether white space, a comment or the start of the file came last.
    private var isAfterSpace = true
    private(set) var tokens: [Token] = []
    /// The lines that have a comment, with its text.
    private(set) var comments: [Int: String] = [:]

    /// Cuts the whole text.
    init(_ text: String) {
        bytes = Array(text.utf8)
        while position < bytes.count { step() }
    }

    private func byte(at offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func isNext(_ text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[position + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    /// Takes what stands at the position, whatever it is.
    private mutating func step() {
        let byte = bytes[position]
        switch byte {
        case "\n", " ", "\t", "\r": takeSpace()
        case _ where isNext("//"): takeLineComment()
        case _ where isNext("/*"): takeBlockComment()
        case "\"": takeString(poundCount: 0)
        case "#": takePound()
        case "/" where isStartOfExpression && takeRegularExpression(poundCount: 0): break
        case "`": takeQuotedWord()
        case _ where byte.isWordStart: takeWord()
        case _ where byte.isDigit: takeNumber()
        default: takeSign()
        }
    }

    private mutating func append(_ kind: Token.Kind, _ text: String, line: Int? = nil) {
        tokens.append(Token(kind: kind, text: text, line: line ?? self.line, isAttachedBefore: !isAfterSpace))
        isAfterSpace = false
    }
}

// MARK: Space and comments

extension Lexer {
    private mutating func takeSpace() {
        if bytes[position] == "\n" { line += 1 }
        position += 1
        isAfterSpace = true
    }

    private mutating func takeLineComment() {
        let start = position
        while let byte = byte(), byte != "\n" { position += 1 }
        comments[line, default: ""] += text(from: start)
        isAfterSpace = true
    }

    private mutating func takeBlockComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                position += 2
            } else if isNext("*/") {
                depth -= 1
                position += 2
            } else {
                if bytes[position] == "\n" { line += 1 }
                position += 1
            }
            comments[line, default: "/*"] += ""
        } while depth > 0 && position < bytes.count
        isAfterSpace = true
    }
}

// MARK: Words, numbers, signs

extension Lexer {
    private mutating func takeWord() {
        let start = position
        while let byte = byte(), byte.isWordStart || byte.isDigit { position += 1 }
        append(.word, text(from: start))
    }

    private mutating func takeQuotedWord() {
        position += 1
        let start = position
        while let byte = byte(), byte != "`" { position += 1 }
        append(.quotedWord, text(from: start))
        position += 1
    }

    private mutating func takeNumber() {
        let start = position
        while let byte = byte(), byte.isWordStart || byte.isDigit || isDecimalPoint { position += 1 }
        append(.number, text(from: start))
    }

    /// A point between two digits; the one of `0.description` and those of `0...9` are signs.
    private var isDecimalPoint: Bool { byte() == "." && byte(at: 1)?.isDigit == true && byte(at: -1)?.isDigit == true }

    private mutating func takeSign() {
        let start = position
        position += 1
        append(.sign, text(from: start))
        if "([{".utf8.contains(bytes[start]) { isAfterSpace = true }
    }

    /// A `#`: a condition of compilation, a raw text, or the sign of a macro.
    private mutating func takePound() {
        var poundCount = 0
        while byte(at: poundCount) == "#" { poundCount += 1 }
        if byte(at: poundCount) == "\"" {
            position += poundCount
            takeString(poundCount: poundCount)
        } else if byte(at: poundCount) == "/", takeRegularExpression(poundCount: poundCount) {
            return
        } else if isNext("#if") || isNext("#else") || isNext("#endif") {
            while let byte = byte(), byte != "\n", !isNext("//") { position += 1 }
        } else {
            takeSign()
        }
    }
}

// MARK: Texts

extension Lexer {
    /// Takes a string whose first quotation mark stands at the position, behind so many `#`.
    private mutating func takeString(poundCount: Int) {
        let isMultiline = isNext("\"\"\"")
        let quoteCount = isMultiline ? 3 : 1
        let firstLine = line
        let index = tokens.count
        append(.literal, "")
        position += quoteCount
        var text: [UInt8] = []
        while let byte = byte(), !isEnd(quoteCount: quoteCount, poundCount: poundCount) {
            if byte == "\\", poundsFollow(poundCount, at: 1) {
                position += 1 + poundCount
                if self.byte() == "(" {
                    takeInterpolation()
                    continue
                }
            }
            if let escaped = self.byte() {
                if escaped == "\n" { line += 1 }
                text.append(escaped)
                position += 1
            }
        }
        position += quoteCount + poundCount
        tokens[index] = Token(
            kind: .literal, text: String(decoding: text, as: UTF8.self), line: firstLine,
            isAttachedBefore: tokens[index].isAttachedBefore)
        isAfterSpace = false
    }

    private func poundsFollow(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(at: offset + $0) == "#" }
    }

    private func isEnd(quoteCount: Int, poundCount: Int) -> Bool {
        (0..<quoteCount).allSatisfy { byte(at: $0) == "\"" } && poundsFollow(poundCount, at: quoteCount)
    }

    /// Takes the code in a string, from its opening to its closing parenthesis.
    private mutating func takeInterpolation() {
        var depth = 0
        repeat {
            if byte() == "(" { depth += 1 }
            if byte() == ")" { depth -= 1 }
            step()
        } while depth > 0 && position < bytes.count
    }

    /// Whether a value may start here: then a slash opens a regular expression, else it divides.
    private var isStartOfExpression: Bool {
        guard let last = tokens.last, last.line == line else { return true }
        guard last.kind == .sign else { return last.isWord("return") }
        return !")]}".contains(last.text)
    }

    /// Takes a regular expression if one stands here. Without `#` it ends on its line.
    private mutating func takeRegularExpression(poundCount: Int) -> Bool {
        var end = position + poundCount + 1
        if poundCount == 0, end < bytes.count, bytes[end] == " " || bytes[end] == ")" { return false }
        while end < bytes.count {
            if bytes[end] == "\n", poundCount == 0 { return false }
            if bytes[end] == "\\" {
                end += 1
            } else if bytes[end] == "/", bytes[(end + 1)...].prefix(poundCount).allSatisfy({ $0 == "#" }) {
                break
            }
            end += 1
        }
        guard end < bytes.count else { return false }
        let start = position
        position = end + 1 + poundCount
        append(.literal, text(from: start))
        line += bytes[start..<position].count { $0 == "\n" }
        return true
    }
}

// So that bytes are compared with what they stand for.
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    /// The value of an ASCII character.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) { self = UInt8(ascii: scalar) }

    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    /// Letters, the underscore, the dollar of closures, and everything beyond ASCII.
    fileprivate var isWordStart: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || self == "$" || self >= 0x80
    }
}
