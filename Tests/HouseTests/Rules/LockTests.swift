import Testing

/// What a lock guards is data.
@Suite struct LockTests {
    @Test func `no lock's state is a function`() throws {
        expectNone(try SourceTree.house.get().swift().flatMap(Self.lockedFunctions))
    }

    /// `Locked<(…) -> …>` and `Locked<@Sendable …>`: each access would wrap the function once more.
    private static func lockedFunctions(in file: SourceFile) -> [Finding] {
        let tokens = file.tokens
        return tokens.indices.dropLast(2).filter { index in
            tokens[index].isWord("Locked") && tokens[index + 1].text == "<"
                && ["(", "@"].contains(tokens[index + 2].text)
        }.map {
            file.finding(
                tokens[$0].line, "a function as a lock's state grows with each access. Make it a property of a struct")
        }
    }

    // MARK: The rule finds what it looks for

    @Test(arguments: [
        "let bell = Locked<(@Sendable () -> Void)?>(nil)", "let bell = Locked<@Sendable () -> Void>({})",
        "let handler: Locked<((Int) -> Void)?>",
    ])
    func `a locked function is found`(code: String) {
        #expect(Self.lockedFunctions(in: SourceFile("A.swift", code)).count == 1)
    }

    @Test func `locked data is not found`() {
        #expect(
            Self.lockedFunctions(in: SourceFile("A.swift", "let a = Locked<[Int]>([])\nlet b = Locked(Bell())")).isEmpty
        )
    }
}
