/// **Value.** A text file of the project, cut up for the rules.
struct SourceFile: Sendable {
    /// The path from the project's root.
    let path: String
    /// Its lines without their ends; the first one is line 1.
    let lines: [Substring]
    /// The code, nothing in files of other languages.
    let tokens: [Token]
    /// The comments by line.
    let comments: [Int: String]
    let declarations: [Declaration]

    /// Reads a text as the file at a path. Rules show with it what they find.
    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard path.hasSuffix(".swift") else {
            (tokens, comments, declarations) = ([], [:], [])
            return
        }
        let lexer = Lexer(text)
        tokens = lexer.tokens
        comments = lexer.comments
        declarations = DeclarationScanner(lexer.tokens).declarations
    }

    var name: Substring { path.split(separator: "/").last ?? "" }

    /// How many lines it has; the end of the last one starts none.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    /// The folders it is in, from the root on.
    var folders: ArraySlice<Substring> { path.split(separator: "/").dropLast() }

    /// Whether it is in a folder or one below.
    func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

    func finding(_ line: Int, _ message: String) -> Finding { Finding(path: path, line: line, message: message) }

    /// Whether nothing but a comment stands in a line.
    func isComment(_ line: Int) -> Bool {
        guard comments[line] != nil, lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].drop { $0 == " " }.hasPrefix("/")
    }

    /// The lines of comment directly above a line, without indentation, in order.
    func commentsAbove(_ line: Int) -> [Substring] {
        var first = line
        while isComment(first - 1) { first -= 1 }
        return (first..<line).map { lines[$0 - 1].drop { $0 == " " } }
    }

    /// The documentation of a declaration, without slashes.
    func documentation(of declaration: Declaration) -> [Substring] {
        commentsAbove(declaration.line).filter { $0.hasPrefix("///") }.map { $0.dropFirst(3).drop { $0 == " " } }
    }

    /// A member's type and the types around it, joined by points; empty for a declaration of the file itself.
    func qualifier(of declaration: Declaration) -> String {
        guard let parent = declaration.parent.map({ declarations[$0] }) else { return "" }
        return qualifier(of: parent) + parent.name + "."
    }
}
