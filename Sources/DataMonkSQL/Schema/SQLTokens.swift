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

    /// Returns the bytes of each token.
    private static func slices(of sql: String) -> [ArraySlice<UInt8>] {
        var slices: [ArraySlice<UInt8>] = []
        var rest = Array(sql.utf8)[...]
        while let byte = rest.first {
            let length: Int
            switch byte {
            case UInt8(ascii: " "), 0x09...0x0A, 0x0C...0x0D:
                rest = rest.dropFirst()
                continue
            case UInt8(ascii: "'"), UInt8(ascii: "\""): length = quotedLength(of: rest, quote: byte)
            case _ where isWord(byte): length = rest.prefix(while: isWord).count
            default: length = 1
            }
            slices.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return slices
    }

    /// A Boolean value indicating whether a statement has no comments, and no quotes that are unknown here. They could hide
    /// a part of it.
    static func isPlain(_ sql: String) -> Bool {
        !["--", "/*", "[", "`"].contains { sql.contains($0) }
            && sql.utf8.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    }

    /// Returns the length of a literal or a quoted name. A doubled quote stands for one quote.
    private static func quotedLength(of bytes: ArraySlice<UInt8>, quote: UInt8) -> Int {
        var end = bytes.startIndex + 1
        while end < bytes.endIndex {
            end += 1
            guard bytes[end - 1] == quote else { continue }
            guard end < bytes.endIndex, bytes[end] == quote else { break }
            end += 1
        }
        return end - bytes.startIndex
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
        let folded = name.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 }
        return String(decoding: folded, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: byte >= 0x80
        }
    }
}
