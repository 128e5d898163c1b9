/// **Value.** The width of text in terminal cells, and truncation to a width.
///
/// An approximation of Unicode's annex 11: ideographs and emoji take two cells, combining marks none, everything else one.
enum DisplayWidth {
    static func width(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// Returns the text, truncated with an ellipsis if it does not fit.
    static func cut(_ text: String, to width: Int) -> String {
        guard self.width(of: text) > width else { return text }
        var (part, used) = ("", 0)
        for character in text {
            used += self.width(of: character)
            if used >= width { break }
            part.append(character)
        }
        return width > 0 ? part + "…" : ""
    }

    /// Returns the text, padded with spaces to a width.
    static func pad(_ text: String, to width: Int, isRight: Bool) -> String {
        let spaces = String(repeating: " ", count: max(0, width - self.width(of: text)))
        return isRight ? spaces + text : text + spaces
    }

    private static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        // U+FE0F selects the emoji presentation.
        if character.unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(first.value) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
