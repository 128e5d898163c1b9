/// **Value.** A line of a terminal, never wider than it. Whatever is added is made harmless first.
struct TerminalLine: Sendable {
    /// **Value.** The looks of a part, as numbers of the sequence "select graphic rendition".
    struct Style: Hashable, Sendable {
        static let plain = Style(codes: "")
        static let bold = Style(codes: "1")
        static let dim = Style(codes: "2")
        static let bar = Style(codes: "7")
        static let field = Style(codes: "4")
        static let inserted = Style(codes: "32")
        static let deleted = Style(codes: "2;9;31")
        static let moved = Style(codes: "36")
        static let changed = Style(codes: "33")

        let codes: String

        /// The style of a selected line.
        var selected: Style { Style(codes: codes.isEmpty ? "7" : "7;" + codes) }
    }

    /// The bytes of the line.
    private(set) var rendered = ""
    /// The columns in use.
    private(set) var width = 0
    private let limit: Int

    init(width limit: Int) { self.limit = limit }

    /// Adds a text, as far as there is room. A character that needs two columns and finds one is left out.
    mutating func append(_ text: String, _ style: Style = .plain) {
        var part = ""
        for cell in TerminalText(text).cells {
            if width + cell.width > limit { break }
            part += cell.character
            width += cell.width
        }
        guard !part.isEmpty else { return }
        rendered += style == .plain ? part : "\u{1B}[\(style.codes)m\(part)\u{1B}[0m"
    }

    /// Adds a text that is shortened with "…" if there is no room for it.
    mutating func appendShortened(_ text: String, _ style: Style = .plain) {
        let cells = TerminalText(text).cells
        let room = limit - width
        if cells.reduce(0, { $0 + $1.width }) <= room { return append(text, style) }
        var kept = 0
        let shown = cells.prefix {
            kept += $0.width
            return kept <= room - 1
        }
        append(shown.map(\.character).joined() + (room > 0 ? "…" : ""), style)
    }

    /// Fills the rest of the line.
    mutating func fill(_ style: Style = .plain) {
        append(String(repeating: " ", count: max(0, limit - width)), style)
    }
}
