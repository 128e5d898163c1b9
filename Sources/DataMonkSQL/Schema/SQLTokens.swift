/// **Value.** Splits statements into tokens, to compare them regardless of whitespace, case and redundant quotes.
///
/// Statements with the same tokens have the same meaning to SQLite, but statements with the same meaning may have different
/// tokens. Comments are not skipped: their characters become tokens, which no generated statement has.
package enum SQLTokens {
    static func all(in sql: String) -> [String] { slices(of: sql).map(token) }

    /// Returns the statement that makes a table or an index of it, as SQLite keeps it, with another name of the table; `nil` for
    /// one that is not plain, or that names another table.
    package static func renaming(_ table: String, to newName: String, in statement: String) -> String? {
        guard isPlain(statement) else { return nil }
        let slices = slices(of: statement)
        // CREATE TABLE table (, CREATE INDEX name ON table (, CREATE UNIQUE INDEX name ON table (
        let tokens = slices.prefix(6).map(token)
        let place = tokens.starts(with: ["CREATE", "TABLE"]) ? 2 : (tokens.lastIndex(of: "ON") ?? tokens.count) + 1
        guard tokens.indices.contains(place), all(in: table) == [tokens[place]] else { return nil }
        let (before, after) = (..<slices[place].startIndex, slices[place].endIndex...)
        let bytes = Array(statement.utf8)
        return String(decoding: bytes[before] + Array(newName.utf8) + bytes[after], as: UTF8.self)
    }

    /// Returns `true` if one of some words, in capitals, stands in a statement outside of quotes.
    static func contains(anyOf words: [String], in sql: String) -> Bool {
        slices(of: sql).contains { slice in
            words.contains { word in
                slice.count == word.utf8.count && zip(slice, word.utf8).allSatisfy { folded($0) == $1 }
            }
        }
    }

    /// A Boolean value indicating whether a statement has no comments, and no quotes that are unknown here. They could hide
    /// a part of it.
    ///
    /// Bytes are compared, as SQLite does: to a `String`, a dash with a combining mark is another character than a dash.
    static func isPlain(_ sql: String) -> Bool {
        var previous: UInt8 = 0
        for byte in sql.utf8 {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "`"): return false
            case UInt8(ascii: "-") where previous == UInt8(ascii: "-"): return false
            case UInt8(ascii: "*") where previous == UInt8(ascii: "/"): return false
            case 0x20..., 0x09, 0x0A, 0x0C, 0x0D: break
            default: return false
            }
            previous = byte
        }
        return true
    }

    /// Returns the bytes of each token.
    private static func slices(of sql: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(sql.utf8)
        var slices: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let next = end(ofTokenAt: start, in: bytes)
            if !isSpace(bytes[start]) { slices.append(bytes[start..<next]) }
            start = next
        }
        return slices
    }

    /// Returns the end of the token at an index. A space is one by itself.
    private static func end(ofTokenAt start: Int, in bytes: [UInt8]) -> Int {
        let first = bytes[start]
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") { return end(ofQuoteAt: start, in: bytes) }
        var end = start + 1
        guard isWord(first) else { return end }
        while end < bytes.count, isWord(bytes[end]) { end += 1 }
        return end
    }

    /// Returns the end of a literal or a quoted name. A doubled quote stands for one quote.
    private static func end(ofQuoteAt start: Int, in bytes: [UInt8]) -> Int {
        let quote = bytes[start]
        var end = start + 1
        while end < bytes.count {
            end += 1
            guard bytes[end - 1] == quote else { continue }
            guard end < bytes.count, bytes[end] == quote else { break }
            end += 1
        }
        return end
    }

    private static func token(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.first == UInt8(ascii: "'") { return String(decoding: bytes, as: UTF8.self) }
        var name = bytes
        if bytes.first == UInt8(ascii: "\""), bytes.count > 2 {
            // Renaming a table puts its name in quotes. Core Data's names begin with a Z, as no keyword does, so they mean
            // the same without quotes.
            name = bytes.dropFirst().dropLast()
            guard let first = name.first, first | 0x20 == UInt8(ascii: "z"), name.allSatisfy(isWord) else {
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        return String(decoding: name.map(folded), as: UTF8.self)
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), 0x09...0x0A, 0x0C...0x0D: true
        default: false
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: byte >= 0x80
        }
    }
}
