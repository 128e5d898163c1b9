/// **Value.** Finds the declarations among the tokens of a file.
///
/// It counts brackets and looks for keywords where a declaration may stand: outside of brackets, in a file, a type or an
/// extension. What it takes for a declaration it need not understand, so it is small; what stands in the body of a
/// function it passes over.
struct DeclarationScanner {
    private enum Scope {
        /// The body of a type or an extension, by its index.
        case members(Int)
        /// The body of any other declaration, by its index.
        case body(Int)
        /// Any other pair of brackets.
        case other
    }

    private static let keywords: Set<String> = [
        "actor", "associatedtype", "case", "class", "deinit", "enum", "extension", "func", "import", "init", "let",
        "macro", "operator", "protocol", "struct", "subscript", "typealias", "var",
    ]
    private static let modifiers: Set<String> = [
        "borrowing", "class", "consuming", "convenience", "dynamic", "final", "fileprivate", "indirect", "infix",
        "internal", "isolated", "lazy", "mutating", "nonisolated", "nonmutating", "open", "optional", "override",
        "package", "postfix", "prefix", "private", "public", "required", "sending", "static", "unowned", "weak",
    ]
    private static let names: Set<Token.Kind> = [.word, .quotedWord]

    private let tokens: [Token]
    private var scopes: [Scope] = []
    /// The last declaration of the scope, whose body may come yet.
    private var pending: Int?
    private(set) var declarations: [Declaration] = []

    /// Looks through all tokens.
    init(_ tokens: [Token]) {
        self.tokens = tokens
        var index = 0
        while index < tokens.count { index = step(at: index) }
    }

    /// Takes the token at an index. Returns the index of the next one to take.
    private mutating func step(at index: Int) -> Int {
        let token = tokens[index]
        switch (token.kind, token.text) {
        case (.sign, "{"): open(at: token)
        case (.sign, "("), (.sign, "["): scopes.append(.other)
        case (.sign, "}"), (.sign, ")"), (.sign, "]"): close(at: token)
        case (.word, let text) where Self.keywords.contains(text) && isDeclaration(at: index):
            return declare(at: index)
        default: break
        }
        return index + 1
    }

    // MARK: Brackets

    private mutating func open(at token: Token) {
        guard mayDeclare, let opened = pending else { return scopes.append(.other) }
        let isType = declarations[opened].isType || declarations[opened].keyword == "extension"
        scopes.append(isType ? .members(opened) : .body(opened))
        pending = nil
    }

    private mutating func close(at token: Token) {
        switch scopes.popLast() {
        case .members(let index), .body(let index):
            declarations[index].lastLine = token.line
            pending = nil
        case .other, nil: break
        }
    }

    /// The type or extension whose member would be declared here; nil in the file itself.
    private var parent: Int? {
        if case .members(let index) = scopes.last { index } else { nil }
    }

    private var mayDeclare: Bool { scopes.isEmpty || parent != nil }

    // MARK: Declarations

    private func isDeclaration(at index: Int) -> Bool {
        guard mayDeclare, index + 1 < tokens.count else { return false }
        if index > 0, tokens[index - 1].isSign(".") { return false }
        let (keyword, next) = (tokens[index], tokens[index + 1])
        if keyword.isWord("class"), Self.keywords.contains(next.text) || Self.modifiers.contains(next.text) {
            return next.kind == .quotedWord  // Else it is a modifier: `class func`.
        }
        switch keyword.text {
        case "init", "subscript": return next.isSign("(") || next.isSign("<") || next.isSign("?")
        case "deinit": return true
        case "func", "let", "var", "operator": return !next.isSign(":")
        default: return Self.names.contains(next.kind)
        }
    }

    private mutating func declare(at index: Int) -> Int {
        let (name, end) = name(after: index)
        let (modifiers, start) = modifiers(before: index)
        pending = declarations.count
        declarations.append(
            Declaration(
                keyword: tokens[index].text, name: name, modifiers: modifiers, parent: parent,
                line: tokens[start].line, lastLine: tokens[index].line,
                isPublic: isPublic(tokens[index].text, modifiers),
                unlabelledCount: ["func", "init"].contains(tokens[index].text) ? unlabelledCount(from: end) : 0))
        return end
    }

    /// What is declared, and the index behind it.
    private func name(after index: Int) -> (name: String, end: Int) {
        var end = index + 1
        switch tokens[index].text {
        case "init", "subscript", "deinit": return (tokens[index].text, end)
        case "import":
            // `import struct Foundation.URL` names a kind of declaration first.
            if Self.keywords.contains(tokens[end].text) { end += 1 }
            return (tokens[end].text, end + 1)
        case "extension":
            while end + 2 < tokens.count, tokens[end + 1].isSign(".") { end += 2 }
            return (tokens[index + 1...end].map(\.text).joined(), end + 1)
        default:
            guard tokens[end].kind == .sign else { return (tokens[end].text, end + 1) }
            var name = ""
            while end < tokens.count, tokens[end].kind == .sign, !["(", "{"].contains(tokens[end].text) {
                name += tokens[end].text
                end += 1
            }
            return (name, end)
        }
    }

    /// The number of parameters without a label in the next list of parameters: `_` before a parameter's name.
    private func unlabelledCount(from index: Int) -> Int {
        guard let opening = tokens[index...].firstIndex(where: { $0.isSign("(") }) else { return 0 }
        var (depth, count) = (0, 0)
        for place in opening..<tokens.count {
            if ["(", "[", "{"].contains(where: tokens[place].isSign) { depth += 1 }
            if [")", "]", "}"].contains(where: tokens[place].isSign) { depth -= 1 }
            if depth == 0 { break }
            let isFirst = tokens[place - 1].isSign("(") || tokens[place - 1].isSign(",")
            if depth == 1, isFirst, tokens[place].isWord("_") { count += 1 }
        }
        return count
    }

    /// The attributes and modifiers before a keyword, and the index of the first of them.
    private func modifiers(before index: Int) -> (modifiers: [String], start: Int) {
        var (modifiers, start): ([String], Int) = ([], index)
        while start > 0 {
            var word = start - 1
            var argument = ""
            if tokens[word].isSign(")") {
                guard let opening = opening(of: word) else { break }
                argument = tokens[opening...word].map(\.text).joined()
                word = opening - 1
            }
            guard word >= 0, tokens[word].kind == .word else { break }
            if word > 0, tokens[word - 1].isSign("@") {
                modifiers.insert("@" + tokens[word].text + argument, at: 0)
                start = word - 1
            } else if Self.modifiers.contains(tokens[word].text) {
                modifiers.insert(tokens[word].text + argument, at: 0)
                start = word
            } else {
                break
            }
        }
        return (modifiers, start)
    }

    /// Where the parenthesis was opened that is closed at an index.
    private func opening(of closing: Int) -> Int? {
        var depth = 0
        for index in stride(from: closing, through: 0, by: -1) {
            if tokens[index].isSign(")") { depth += 1 }
            if tokens[index].isSign("(") { depth -= 1 }
            if depth == 0 { return index > 0 ? index : nil }
        }
        return nil
    }

    /// Members of protocols, cases, and what stands in a `public extension` are as public as what they stand in.
    private func isPublic(_ keyword: String, _ modifiers: [String]) -> Bool {
        let isExplicit = modifiers.contains("public") || modifiers.contains("open")
        guard let parent = parent.map({ declarations[$0] }) else { return isExplicit }
        if parent.keyword == "extension" { return isExplicit || parent.isPublic }
        if parent.keyword == "protocol" || keyword == "case" { return parent.isPublic }
        return isExplicit && parent.isPublic
    }
}
