import Testing

@Suite struct LexerTests {
    private func words(of text: String) -> [String] {
        Lexer(text).tokens.filter { $0.kind == .word }.map(\.text)
    }

    @Test(arguments: [
        "a // b", "a /* b /* c */ d */", "a \"b \\\" c\"", "a #\"b \" \\(c)\"#", "a \"\"\"\nb \"c\"\n\"\"\"",
        "a = /b c/", "a = #/b / c/#", "#if B\na\n#endif", "`b` a",
    ])
    func `words are those of the code`(text: String) {
        #expect(words(of: text) == ["a"])
    }

    @Test(arguments: ["\"b \\(a) c\"", "\"\\(f(\"x\", a))\"", "#\"\\(b) \\#(a)\"#", "x / a / y"])
    func `code in texts is code`(text: String) {
        #expect(words(of: text).contains("a"))
    }

    @Test func `lines are counted through comments and texts`() {
        let tokens = Lexer("/*\n*/\n\"\"\"\ntext\n\"\"\"\na\n").tokens
        #expect(tokens.map(\.line) == [3, 6])
    }

    @Test func `comments are kept by line`() {
        let lexer = Lexer("let a = 1  // one\n/// Two.\nlet b = 2\n")
        #expect(lexer.comments == [1: "// one", 2: "/// Two."])
    }

    @Test func `what stands directly before a sign is known`() {
        let signs = Lexer("a! !b (!c)").tokens.filter { $0.isSign("!") }
        #expect(signs.map(\.isAttachedBefore) == [true, false, false])
    }
}
