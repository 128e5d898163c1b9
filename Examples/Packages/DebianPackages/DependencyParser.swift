/// **Value.** Reads the syntax of dependencies, one character of lookahead.
///
///     list         dependency { "," dependency }        empty ones are passed over: a trailing comma is common
///     dependency   alternative { "|" alternative }
///     alternative  name [":" qualifier] ["(" relation version ")"] ["[" words "]"] { "<" words ">" }
///
/// White space, line breaks included, may stand between any two of them.
struct DependencyParser {
    private let text: String
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        self.text = text
        bytes = [UInt8](text.utf8)
    }

    mutating func list() throws(DependencyError) -> [Dependency] {
        var dependencies: [Dependency] = []
        while true {
            skipWhitespace()
            if let next = peek, next != UInt8(ascii: ",") { dependencies.append(try dependency()) }
            guard peek != nil else { return dependencies }
            try expect(",")
        }
    }

    private mutating func dependency() throws(DependencyError) -> Dependency {
        var alternatives = [try alternative()]
        while peek == UInt8(ascii: "|") {
            offset += 1
            alternatives.append(try alternative())
        }
        return Dependency(alternatives: alternatives)
    }

    private mutating func alternative() throws(DependencyError) -> Dependency.Alternative {
        skipWhitespace()
        var alternative = Dependency.Alternative(try word("a package's name"))
        if peek == .colon {
            offset += 1
            alternative.qualifier = try word("an architecture")
        }
        skipWhitespace()
        if peek == UInt8(ascii: "(") {
            alternative.versions = try versions()
        }
        if peek == UInt8(ascii: "[") {
            alternative.architectures = try words(upTo: "]")
        }
        while peek == UInt8(ascii: "<") {
            alternative.profiles.append(try words(upTo: ">"))
        }
        return alternative
    }

    private mutating func versions() throws(DependencyError) -> Dependency.VersionRange {
        offset += 1
        skipWhitespace()
        let sign = take { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
        guard let relation = Dependency.Relation(rawValue: sign == "<" || sign == ">" ? sign + "=" : sign) else {
            throw error("one of <<, <=, =, >=, >>")
        }
        skipWhitespace()
        let version = take { !$0.isWhitespace && $0 != UInt8(ascii: ")") }
        guard !version.isEmpty else { throw error("a version") }
        skipWhitespace()
        try expect(")")
        skipWhitespace()
        return Dependency.VersionRange(relation: relation, version: version)
    }

    private mutating func words(upTo end: Unicode.Scalar) throws(DependencyError) -> [String] {
        offset += 1
        var words: [String] = []
        skipWhitespace()
        while let next = peek, next != UInt8(ascii: end) {
            words.append(try word("a word or \(end)"))
            skipWhitespace()
        }
        try expect(end)
        skipWhitespace()
        return words
    }

    private mutating func word(_ what: String) throws(DependencyError) -> String {
        let word = take { $0.isLetter || $0.isDigit || $0 >= 0x80 || "+-._~!%".utf8.contains($0) }
        guard !word.isEmpty else { throw error(what) }
        return word
    }

    private var peek: UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func take(_ belongs: (UInt8) -> Bool) -> String {
        let start = offset
        while let next = peek, belongs(next) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func skipWhitespace() {
        while let next = peek, next.isWhitespace { offset += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(DependencyError) {
        guard peek == UInt8(ascii: character) else { throw error("\(character)") }
        offset += 1
    }

    private func error(_ expected: String) -> DependencyError {
        DependencyError(text: text, offset: offset, expected: expected)
    }
}
