/// **Value.** The words that a search asks for, as a person types them.
///
///     swift act* "new york"    →    " swift "   " act"   " new york "
///
/// - Parts are separated by whitespace; a part in quotation marks goes to the next one, or to the end.
/// - Each part is read as ``WordText`` reads a text. Several words in one part have to follow each other: `e-mail` and
///   `"e mail"` are the same.
/// - A part that ends with `*` finds words that begin with its last word.
/// - A part without a word asks for nothing. Without any word, nothing is found.
///
/// No text is an error.
package struct WordQuery: Sendable, Hashable {
    /// **Value.** Words that have to follow each other.
    package struct Part: Sendable, Hashable {
        /// The words with spaces around each, but without the last space if the last word may go on.
        let bytes: [UInt8]
        /// A Boolean value indicating whether the last word is the beginning of one.
        package let isPrefix: Bool

        /// The words, folded, with one space between two.
        package var words: String {
            String(decoding: bytes.dropFirst().dropLast(isPrefix ? 0 : 1), as: UTF8.self)
        }
    }

    /// The parts, all of which have to be found; empty if there is no word.
    package let parts: [Part]

    package init(_ text: String) {
        var parts: [Part] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest = rest.dropFirst()
                continue
            }
            var (part, isPrefix) = (rest[rest.startIndex..<rest.startIndex], false)
            if first == "\"" {
                part = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest[part.endIndex...].dropFirst()
                isPrefix = rest.first == "*"
            } else {
                part = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
                rest = rest[part.endIndex...]
                isPrefix = part.last == "*"
            }
            if isPrefix, rest.first == "*" { rest = rest.dropFirst() }
            let bytes = WordText(String(part)).bytes
            if !bytes.isEmpty { parts.append(Part(bytes: isPrefix ? bytes.dropLast() : bytes, isPrefix: isPrefix)) }
        }
        self.parts = parts
    }

    /// Returns `true` if a text has all the words.
    package func matches(_ text: WordText) -> Bool {
        if parts.isEmpty { return false }
        return text.bytes.withUnsafeBytes { bytes in
            parts.allSatisfy { part in
                part.bytes.withUnsafeBytes { TextComparison.contains(bytes, part: $0) }
            }
        }
    }
}

extension WordQuery {
    /// Returns the query for a text. The last ones are kept, since one text is compared with many rows.
    package static func cached(_ text: String) -> WordQuery {
        // Not by the text itself: equal texts may have other scalars, and so other words.
        let key = Array(text.utf8)
        return cache.withLock { cache in
            if let known = cache[key] { return known }
            let query = WordQuery(text)
            if cache.count >= capacity { cache.removeAll() }
            cache[key] = query
            return query
        }
    }

    private static let capacity = 64
    private static let cache = Locked<[[UInt8]: WordQuery]>([:])
}
