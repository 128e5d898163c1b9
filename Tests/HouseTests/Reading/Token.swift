/// **Value.** One word, number, text or sign of a Swift file. Comments and white space are none.
struct Token: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A name or a keyword.
        case word
        /// A name in backticks, which is no keyword; its text is without them.
        case quotedWord
        case number
        /// A string or a regular expression. Its text is what stands in it as it is; code inside follows as tokens
        /// in parentheses.
        case literal
        /// One character that is none of the others: operators come in pieces.
        case sign
    }

    let kind: Kind
    let text: String
    /// Counted from 1.
    let line: Int
    /// Whether something else than white space or an opening bracket stands directly before it.
    let isAttachedBefore: Bool

    /// Whether the token is a keyword, or a name that looks like one, with this text.
    func isWord(_ text: String) -> Bool { kind == .word && self.text == text }

    func isSign(_ text: String) -> Bool { kind == .sign && self.text == text }
}
