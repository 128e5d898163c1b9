import Testing

@Suite struct DeclarationScannerTests {
    private func declarations(in text: String) -> [Declaration] {
        SourceFile("A.swift", text).declarations
    }

    @Test(arguments: [
        ("public final class A<B>: C {}", "class", "A", ["public", "final"]),
        ("class func f() {}", "func", "f", ["class"]),
        ("@Test(arguments: [f(1)]) func `it works`() {}", "func", "it works", ["@Test(arguments:[f(1)])"]),
        ("public private(set) var a = 1", "var", "a", ["public", "private(set)"]),
        ("static func == (a: A, b: A) -> Bool {}", "func", "==", ["static"]),
        ("extension A.B: C where D == E {}", "extension", "A.B", []),
        ("@_exported public import A", "import", "A", ["@_exported", "public"]),
        ("import struct A.B", "import", "A", []),
        ("required init?(a: Int) {}", "init", "init", ["required"]),
        ("prefix operator %", "operator", "%", ["prefix"]),
        ("@attached(peer) public macro A() = #b(module: \"B\")", "macro", "A", ["@attached(peer)", "public"]),
    ])
    func `a declaration is read`(text: String, keyword: String, name: String, modifiers: [String]) {
        let found = declarations(in: text)
        #expect(found.map(\.keyword) == [keyword])
        #expect(found.map(\.name) == [name])
        #expect(found.map(\.modifiers) == [modifiers])
    }

    @Test(arguments: ["f(class: A.self)", "a.init(1)", "x { let a = 1 }", "f { switch a { case b: c } }"])
    func `what stands in expressions and bodies is none`(text: String) {
        #expect(declarations(in: text).isEmpty)
        #expect(declarations(in: "func g() {\n\(text)\n}").map(\.name) == ["g"])
    }

    @Test func `members know their type and their last line`() {
        let found = declarations(
            in: """
                struct A {
                    enum B {
                        case c, d
                    }
                    @Attribute(.unique)
                    var e: Int {
                        get { if true { 1 } else { 2 } }
                    }
                    let f = g { 1 }
                    func h(i: () -> Void = {}) {
                        switch e {
                        case 1: break
                        }
                    }
                }
                let j = 1
                """)
        #expect(found.map(\.name) == ["A", "B", "c", "e", "f", "h", "j"])
        #expect(found.map(\.parent) == [nil, 0, 1, 0, 0, 0, nil])
        #expect(found.map(\.line) == [1, 2, 3, 5, 9, 10, 16])
        #expect(found.map(\.lastLine) == [15, 4, 3, 8, 9, 14, 16])
    }

    @Test func `documentation is what stands directly above`() {
        let file = SourceFile("A.swift", "/// Lost.\n\n/// One.\n// swift-format-ignore\n@A\npublic func f() {}\n")
        #expect(file.declarations.map { file.documentation(of: $0) } == [["One."]])
    }
}
