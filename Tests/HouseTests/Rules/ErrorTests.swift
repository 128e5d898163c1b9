import Foundation
import Testing

/// Errors can be told apart by their codes, and say what they are to everybody who asks.
@Suite struct ErrorTests {
    @Test func `no two codes of an error type have one value`() throws {
        let codes = try SourceTree.house.get().swift(in: "Sources").flatMap(Self.codes)
        #expect(codes.count > 60)
        expectNone(Self.duplicates(among: codes))
    }

    @Test func `every public error type has a message`() throws {
        let files = try SourceTree.house.get().swift(in: "Sources")
        let types = files.flatMap { file in file.declarations.filter { Self.isError($0, in: file) }.map { (file, $0) } }
        #expect(types.count >= 6)
        expectNone(
            types.filter { file, type in !file.lines[type.line - 1].contains(": DataMonkError") }.map { file, type in
                file.finding(type.line, "\(type.name) is no DataMonkError. Give it a message")
            })
    }

    private static func isError(_ declaration: Declaration, in file: SourceFile) -> Bool {
        let line = file.lines[declaration.line - 1]
        return declaration.isType && declaration.isPublic
            && (line.contains(": Error") || line.contains(": DataMonkError"))
    }

    /// **Value.** One code of an error type.
    private struct Code {
        let type: String
        let name: String
        let value: String
        let finding: Finding
    }

    /// `public static let name = Code(rawValue: value)` in a type called `Code`.
    private static func codes(in file: SourceFile) -> [Code] {
        file.declarations.compactMap { declaration in
            let type = file.qualifier(of: declaration)
            let text = file.lines[declaration.line - 1]
            guard declaration.has("static"), type.hasSuffix("Code."),
                let start = text.range(of: "(rawValue: "), text.last == ")"
            else { return nil }
            let value = text[start.upperBound...].dropLast().filter { $0 != "_" }
            return Code(
                type: type, name: declaration.name, value: value,
                finding: file.finding(
                    declaration.line, "\(type)\(declaration.name) has the value of another code. Give it one of its own"
                ))
        }
    }

    private static func duplicates(among codes: [Code]) -> [Finding] {
        var seen: Set<[String]> = []
        return codes.filter { !seen.insert([$0.type, $0.value]).inserted }.map(\.finding)
    }

    // MARK: The rules find what they look for

    @Test func `two codes of one value are found`() {
        let file = SourceFile(
            "A.swift",
            """
            public struct SaveError: Error {
                public struct Code: RawRepresentable {
                    public static let a = Code(rawValue: 1_000_006)
                    public static let b = Code(rawValue: 1_000_007)
                    public static let c = Code(rawValue: 1000006)
                }
            }
            extension StoreError.Code {
                public static let d = Self(rawValue: 1_000_006)
            }
            """)
        #expect(Self.codes(in: file).map(\.name) == ["a", "b", "c", "d"])
        #expect(Self.duplicates(among: Self.codes(in: file)).map(\.line) == [5])
    }
}
