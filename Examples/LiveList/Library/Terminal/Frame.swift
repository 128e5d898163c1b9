/// **Value.** Everything that a terminal shows at one moment.
struct Frame: Hashable, Sendable {
    /// **Value.** The place of the cursor, from 0.
    struct Cursor: Hashable, Sendable {
        let row: Int
        let column: Int
    }

    let size: TerminalSize
    /// The lines from the top, in the bytes that show them.
    let lines: [String]
    /// The cursor, or `nil` if it is hidden.
    let cursor: Cursor?

    init(size: TerminalSize, lines: [TerminalLine], cursor: Cursor? = nil) {
        self.size = size
        self.lines = lines.prefix(size.rows).map(\.rendered)
        self.cursor = cursor
    }

    /// Returns the bytes that make this frame of another one, for a single write; empty if they are equal.
    ///
    /// Only lines that differ are written, between the marks by which a terminal shows them at once. A line is erased just
    /// before it is written, since its end may be out of reach behind a full line.
    func bytes(after previous: Frame?) -> [UInt8] {
        if self == previous { return [] }
        let known = previous?.size == size ? previous : nil
        var text = "\u{1B}[?2026h\u{1B}[?25l"
        for row in 0..<size.rows {
            let line = lines.indices.contains(row) ? lines[row] : ""
            let old = known.map { $0.lines.indices.contains(row) ? $0.lines[row] : "" }
            if line != old { text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)" }
        }
        if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return Array((text + "\u{1B}[?2026l").utf8)
    }
}
