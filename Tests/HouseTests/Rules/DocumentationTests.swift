import Testing

/// What is public is documented, and every type says what isolation it is made for.
@Suite struct DocumentationTests {
    @Test func `every public declaration is documented`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources").flatMap(Self.undocumented))
    }

    @Test func `every type says whether it is a value, confined or shared`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources").flatMap(Self.withoutIsolation))
    }

    @Test func `documentation opens with a noun phrase or a verb`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources").flatMap(Self.openingsWithQuestions))
    }

    private static func undocumented(in file: SourceFile) -> [Finding] {
        file.declarations.filter { declaration in
            declaration.isPublic && !["import", "extension"].contains(declaration.keyword)
                && !declaration.has("override") && file.documentation(of: declaration).isEmpty
        }.map {
            let name = file.qualifier(of: $0) + $0.name
            return file.finding($0.line, "\(name) is public and has no documentation. Write a line")
        }
    }

    /// Protocols leave it to their types; a struct or an enum inside a type is a value if it does not say otherwise.
    private static func withoutIsolation(in file: SourceFile) -> [Finding] {
        file.declarations.filter { declaration in
            guard declaration.isType, declaration.keyword != "protocol", !declaration.isPrivate else { return false }
            if declaration.parent != nil, ["struct", "enum"].contains(declaration.keyword) { return false }
            let first = file.documentation(of: declaration).first ?? ""
            return !["**Value", "**Confined", "**Shared"].contains { first.hasPrefix($0) }
        }.map {
            let name = file.qualifier(of: $0) + $0.name
            return file.finding(
                $0.line, "\(name) does not begin with **Value.**, **Confined.** or **Shared.**: say which")
        }
    }

    /// The first words that make a summary a subordinate clause: "What …" where "The …" says more.
    private static let questionWords: Set<Substring> = [
        "What", "Whether", "How", "Who", "Whom", "Whose", "Where", "Which", "When",
    ]

    private static func openingsWithQuestions(in file: SourceFile) -> [Finding] {
        func text(_ line: Int) -> Substring? {
            guard file.isComment(line) else { return nil }
            let text = file.lines[line - 1].drop { $0 == " " }
            return text.hasPrefix("///") ? text.dropFirst(3).drop { $0 == " " } : nil
        }
        return file.lines.indices.map { $0 + 1 }.compactMap { line in
            guard var summary = text(line), text(line - 1) == nil else { return nil }
            if summary.hasPrefix("**"), let end = summary.firstIndex(of: ".") {
                summary = summary[summary.index(after: end)...].drop { $0 == "*" || $0 == " " }
            }
            guard let first = summary.split(whereSeparator: { !$0.isLetter }).first, questionWords.contains(first)
            else { return nil }
            return file.finding(line, "documentation opens with \(first). Say what it is or does: \"The …\"")
        }
    }

    // MARK: The rules find what they look for

    @Test func `documentation that opens with a question word is found`() {
        let file = SourceFile(
            "A.swift",
            """
            /// What it holds.
            struct A {
                /// The number of parts. How many there are
                /// Whether it knows or not.
                let count: Int
                /// **Value.** Who asks.
                struct B {}
                /// **Shared**, on the main actor. Where it stands.
                actor C {}
                // Which is why.
                /// Returns what it holds.
                func f() {}
            }
            """)
        #expect(Self.openingsWithQuestions(in: file).map(\.line) == [1, 6, 8])
    }

    @Test(arguments: [
        "public func f() {}", "public struct A {\n}", "public protocol A {\n}", "@frozen\npublic enum A {\n}",
        "/// Documented\n\npublic let a = 1", "// Documented?\npublic let a = 1", "public typealias A = Int",
    ])
    func `a public declaration without documentation is found`(code: String) {
        #expect(Self.undocumented(in: SourceFile("A.swift", code)).count == 1)
    }

    @Test func `members are as public as what they stand in`() {
        let file = SourceFile(
            "A.swift",
            """
            /// Documented.
            public enum A {
                case a
                func f() {}
                public struct B { public var x: Int }
            }
            /// Documented.
            public protocol P {
                func f()
            }
            struct S {
                public func f() {}
            }
            public extension Int {
                var half: Int { self / 2 }
            }
            """)
        #expect(Self.undocumented(in: file).map(\.line) == [3, 5, 5, 9, 15])
    }

    @Test func `what is documented or not public is not found`() {
        let file = SourceFile(
            "A.swift",
            """
            public import Foundation
            /// Documented.
            @available(*, deprecated)
            @discardableResult public func f(_ body: (Int) -> Void = { _ in }) -> Int {
                let public = 1
                return public
            }
            func g() {}
            """)
        #expect(Self.undocumented(in: file).isEmpty)
    }

    @Test func `a type that does not say its isolation is found`() {
        let file = SourceFile(
            "A.swift",
            """
            /// A number.
            public struct A {
                struct Part {}
                final class Cache {}
            }
            /// **Shared**, on the main actor.
            public final class C {}
            package actor D {}
            private struct E {}
            """)
        #expect(Self.withoutIsolation(in: file).map(\.line) == [2, 4, 8])
    }
}
