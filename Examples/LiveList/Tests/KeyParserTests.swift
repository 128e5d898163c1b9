import Testing

@testable import JobBoard

/// Keys, in the bytes that terminals send.
@Suite struct KeyParserTests {
    private static let typed: [(String, [Key])] = [
        ("a漢", [.character("a"), .character("漢")]), ("\r", [.enter]), ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[1;5H\u{1B}[4~", [.home, .end]), ("\u{15}", [.control("u")]), ("\u{1B}[200~x", [.character("x")]),
        ("\u{1B}x", [.escape, .character("x")]),
    ]

    @Test(arguments: typed.indices) func `keys are the same in whatever parts they arrive`(index: Int) {
        let (text, keys) = Self.typed[index]
        var whole = KeyParser()
        #expect(whole.parse(text.utf8) == keys)
        var parts = KeyParser()
        #expect(text.utf8.flatMap { parts.parse([$0]) } == keys)
    }

    @Test func `a lone escape is a key when nothing follows`() {
        var parser = KeyParser()
        #expect(parser.parse([0x1B]).isEmpty && parser.isWaiting)
        #expect(parser.flush() == [.escape] && !parser.isWaiting)
    }

    @Test func `bytes that are no keys are dropped`() {
        var parser = KeyParser()
        #expect(parser.parse([0xFF, 0x80, 0xC3, 0x28, 0x61]) == [.character("("), .character("a")])
        #expect(parser.parse([0x1B, 0x5B] + Array(repeating: 0x30, count: 100)).isEmpty)
        #expect(parser.parse([0x62]) == [.character("b")])
    }
}
