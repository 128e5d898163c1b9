/// **Value.** One declaration of a Swift file: of the file itself, of a type or of an extension, not of a function's body.
struct Declaration: Sendable {
    /// The keyword: `func`, `struct`, `case`, `import`, …
    let keyword: String
    /// The name; of an import the module's, of an extension the type's.
    let name: String
    /// Attributes and modifiers in order: `@Test`, `public`, `private(set)`.
    let modifiers: [String]
    /// The declaration that this one is a member of, by its index in the file.
    let parent: Int?
    /// Where the first attribute, modifier or keyword stands.
    let line: Int
    /// Where the body ends; `line` without a body.
    var lastLine: Int
    /// Whether every user of the module sees it.
    let isPublic: Bool
    /// The number of parameters without a label, of a function or an initializer.
    let unlabelledCount: Int

    var lineCount: Int { lastLine - line + 1 }

    func has(_ modifier: String) -> Bool { modifiers.contains(modifier) }

    /// Whether it is a type of its own.
    var isType: Bool { ["struct", "class", "actor", "enum", "protocol"].contains(keyword) }

    /// Whether only its file sees it.
    var isPrivate: Bool { has("private") || has("fileprivate") }
}
