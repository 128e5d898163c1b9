package import Foundation

/// **Value.** Removes from a text the differences that `[c]` and `[d]` ignore. Texts that are equal under the options fold
/// to the same bytes.
///
/// Text is first decomposed canonically, so that é and e with a combining acute accent are equal under every option. `[c]`
/// maps each scalar to upper and then to lower case, which makes ß equal ss and ς equal σ. `[d]` removes the combining
/// marks of Latin, Greek and Cyrillic letters; it keeps the vowel signs of other scripts, which are letters to their
/// readers. Folding ignores the locale, so that the contents of a store compare the same on every machine.
///
/// For sorting, a text stays decomposed, so that é comes before f. For searching, it is composed again, so that ü does not
/// begin with u, and `?` matches it as one scalar.
package enum TextFolding {
    package static func fold(_ text: String, options: Condition.Comparison.Options) -> String {
        var text = text
        return text.withUTF8 { fold(UnsafeRawBufferPointer($0), options: options) }
    }

    /// Returns the folded form of a text in UTF-8.
    package static func fold(_ text: UnsafeRawBufferPointer, options: Condition.Comparison.Options) -> String {
        if isASCII(text) {
            guard options.contains(.caseInsensitive) else { return String(decoding: text, as: UTF8.self) }
            return String(unsafeUninitializedCapacity: text.count) { bytes in
                for index in 0..<text.count { bytes[index] = lowercase(text[index]) }
                return text.count
            }
        }
        return FoldingTable.table(options, isForSearch: false)?.fold(text)
            ?? foldWhole(String(decoding: text, as: UTF8.self), options: options)
    }

    /// Returns the form of a text, given in UTF-8, that is used to search for parts of it.
    package static func foldForSearch(
        _ text: UnsafeRawBufferPointer, options: Condition.Comparison.Options
    ) -> String {
        if isASCII(text) { return fold(text, options: options) }
        if let folded = FoldingTable.table(options, isForSearch: true)?.fold(text) { return folded }
        return composed(foldWhole(String(decoding: text, as: UTF8.self), options: options))
    }

    static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    /// Folds a text by Unicode's own mappings.
    static func foldWhole(_ text: String, options: Condition.Comparison.Options) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            if options.contains(.diacriticInsensitive), isMark(scalar) { continue }
            if options.contains(.caseInsensitive) {
                appendLowercase(scalar, to: &folded)
            } else {
                folded.append(scalar)
            }
        }
        return String(folded)
    }

    /// Returns the form of a text that is used to search for parts of it.
    package static func foldForSearch(_ text: String, options: Condition.Comparison.Options) -> String {
        var text = text
        return text.withUTF8 { foldForSearch(UnsafeRawBufferPointer($0), options: options) }
    }

    /// Returns data as `[c]` compares it, with ASCII letters in lower case. `[d]` concerns only text and changes nothing.
    package static func fold(data: Data, options: Condition.Comparison.Options) -> Data {
        options.contains(.caseInsensitive) ? Data(data.map { lowercase($0) }) : data
    }

    private static func appendLowercase(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
        // Dotless ı would become i by way of I.
        if scalar == "\u{131}" { return folded.append(scalar) }
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
    }

    /// Returns `true` if the scalar belongs to a block of combining diacritical marks.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    @inline(__always)
    static func lowercase(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        text.allSatisfy { $0 < 0x80 }
    }
}
