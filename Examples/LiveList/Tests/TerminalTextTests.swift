import Testing

@testable import JobBoard

/// Texts and frames on their way to a terminal.
@Suite struct TerminalTextTests {
    private func width(of text: String) -> Int { TerminalText(text).cells.reduce(0) { $0 + $1.width } }

    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｱ", 1), ("한", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2),
        ("\u{1B}[2J", 4), ("\r\n", 2), ("\u{301}", 1), ("\u{202E}a", 2), ("\u{E000}", 1),
    ])
    func `a text takes the columns of its characters`(text: String, columns: Int) {
        #expect(width(of: text) == columns)
    }

    @Test func `nothing that a terminal obeys is left of a text`() {
        let hostile =
            (0..<0xA0).compactMap(Unicode.Scalar.init).map(String.init).joined() + "\u{2028}\u{202E}\u{2066}\u{FEFF}"
        let shown = TerminalText(hostile).cells.map(\.character).joined().unicodeScalars
        #expect(shown.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) })
    }

    @Test func `a line is never wider than its limit`() {
        for limit in 0..<8 {
            var line = TerminalLine(width: limit)
            line.appendShortened("漢字 kanji 漢字")
            #expect(line.width <= limit)
            line.fill(.bar)
            #expect(line.width == limit)
        }
        var line = TerminalLine(width: 5)
        line.appendShortened("漢字漢字")
        #expect(line.rendered == "漢字…")
    }

    @Test func `a frame writes the lines that differ, and none if none does`() {
        let size = TerminalSize(columns: 10, rows: 3)
        func frame(_ texts: String...) -> Frame {
            Frame(
                size: size,
                lines: texts.map {
                    var line = TerminalLine(width: 10)
                    line.append($0)
                    return line
                })
        }
        let (first, second) = (frame("a", "b", "c"), frame("a", "x"))
        #expect(first.bytes(after: first).isEmpty)
        let changed = String(decoding: second.bytes(after: first), as: UTF8.self)
        #expect(changed == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[2;1H\u{1B}[2Kx\u{1B}[3;1H\u{1B}[2K\u{1B}[?2026l")
        // A terminal of another size has nothing of the last frame.
        let other = Frame(size: TerminalSize(columns: 9, rows: 1), lines: [])
        #expect(String(decoding: other.bytes(after: first), as: UTF8.self).contains("\u{1B}[1;1H\u{1B}[2K"))
    }

    @Test func `frames keep their distance`() {
        let start = ContinuousClock.now
        var pacing = FramePacing(framesPerSecond: 50)
        #expect(pacing.time(forFrameAt: start) == start)
        pacing.drew(at: start)
        #expect(pacing.time(forFrameAt: start + .milliseconds(1)) == start + .milliseconds(20))
        #expect(pacing.time(forFrameAt: start + .seconds(1)) == start + .seconds(1))
    }
}
