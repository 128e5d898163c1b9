import Testing

/// Modules know each other in one direction, and every dependency is a decision.
@Suite struct ImportTests {
    /// What each module may import besides the language's own modules.
    private static let allowed: [String: Set<String>] = [
        "DataMonkCore": ["DequeModule"],
        "DataMonkSQL": ["CZlib", "DataMonkCore"],
        "DataMonkSQLite": ["CSQLite", "DataMonkCore", "DataMonkSQL"],
        "DataMonkPostgres": ["CPostgres", "DataMonkCore", "DataMonkSQL"],
        "DataMonkMacroExpansion": ["SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"],
        "DataMonkMacros": ["DataMonkMacroExpansion", "SwiftCompilerPlugin", "SwiftSyntaxMacros"],
        "DataMonk": ["DataMonkCore", "DataMonkPostgres", "DataMonkSQLite", "DequeModule", "Logging", "UIKit"],
        "DataMonkGeneration": ["DataMonkCore"],
        "DataMonkModelTool": ["DataMonkCore", "DataMonkGeneration"],
        "DataMonkModelPlugin": ["PackagePlugin"],
        "DataMonkCommands": [
            "ArgumentParser", "DataMonk", "DataMonkCore", "DataMonkGeneration", "DataMonkPostgres", "DataMonkSQL",
            "DataMonkSQLite",
        ],
        "DataMonkCLI": ["ArgumentParser", "DataMonkCommands"],
        "DataMonkTesting": ["CSQLite", "DataMonk", "DataMonkCore", "DataMonkSQLite"],
    ]
    private static let language: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationXML", "Glibc", "Musl", "Synchronization",
    ]
    /// The one folder that touches the driver; another stands between the driver and the disk.
    private static let driverFolder = "Sources/DataMonkSQLite/Connection"
    /// The folders that alone may import each module of C, or of Apple's platforms.
    private static let folders = [
        "CPostgres": ["Sources/DataMonkPostgres/Connection"],
        "CSQLite": [driverFolder, "Sources/DataMonkTesting/Files"], "CZlib": ["Sources/DataMonkSQL/Compression"],
        "UIKit": ["Sources/DataMonk/Lists/UIKit"],
    ]

    @Test func `modules import in one direction`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources").flatMap(Self.wrongImports))
    }

    @Test func `every module of Sources has a place in the direction`() throws {
        let modules = Set(try SourceTree.house.get().swift(in: "Sources").map { String($0.folders.dropFirst()[1]) })
        #expect(modules.subtracting(Self.allowed.keys).isEmpty, "Say in this suite what it may import.")
    }

    @Test func `examples import what users import`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Examples").flatMap(Self.importsOfInnerModules))
    }

    @Test func `the engine has no word of SQL`() throws {
        expectNone(try SourceTree.house.get().swift(in: "Sources/DataMonkCore").flatMap(Self.wordsOfSQL))
    }

    private static func imports(of file: SourceFile) -> [Declaration] {
        file.declarations.filter { $0.keyword == "import" }
    }

    private static func wrongImports(in file: SourceFile) -> [Finding] {
        let module = String(file.folders.dropFirst().first ?? "")
        let allowed = allowed[module, default: []].union(language)
        return imports(of: file).compactMap { declaration in
            let name = declaration.name
            if !allowed.contains(name) {
                return file.finding(declaration.line, "\(module) imports \(name). Ask through a protocol of \(module)")
            }
            guard let folders = folders[name], !folders.contains(where: file.isIn) else { return nil }
            let places = folders.joined(separator: " or ")
            return file.finding(declaration.line, "only \(places) imports \(name). Make a call for it there")
        }
    }

    private static func importsOfInnerModules(in file: SourceFile) -> [Finding] {
        let inner = Set(allowed.keys).subtracting(["DataMonk", "DataMonkTesting"])
        return imports(of: file).filter { inner.contains($0.name) }.map {
            file.finding($0.line, "an example imports \($0.name). Import DataMonk; what is missing there is a fault")
        }
    }

    private static func wordsOfSQL(in file: SourceFile) -> [Finding] {
        let words: Set<Substring> = [
            "SELECT", "INSERT", "UPDATE", "DELETE", "FROM", "WHERE", "JOIN", "CREATE", "PRAGMA", "SAVEPOINT", "VACUUM",
            "Z_PK", "Z_ENT", "Z_OPT", "Z_PRIMARYKEY", "sqlite3",
        ]
        return file.tokens.flatMap { token in
            token.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter(words.contains).map {
                file.finding(token.line, "\($0) in the engine. What is SQL's belongs into DataMonkSQL")
            }
        }
    }

    // MARK: The rules find what they look for

    @Test(arguments: [
        ("Sources/DataMonkCore/A.swift", "public import DataMonkSQL"),
        ("Sources/DataMonkSQL/A.swift", "import CSQLite"),
        ("Sources/DataMonkSQL/Schema/A.swift", "import CZlib"),
        ("Sources/DataMonkSQLite/Store/A.swift", "import CSQLite"),
        ("Sources/DataMonkSQLite/Connection/A.swift", "import DataMonk"),
        ("Sources/DataMonk/A.swift", "import struct Crypto.SHA256"),
        ("Sources/DataMonkTesting/A.swift", "@testable import DataMonkSQL"),
        ("Sources/DataMonkTesting/Stores/A.swift", "import CSQLite"),
    ])
    func `an import against the direction is found`(path: String, code: String) {
        #expect(Self.wrongImports(in: SourceFile(path, code)).map(\.line) == [1])
    }

    @Test func `imports in the direction are not found`() {
        let file = SourceFile(Self.driverFolder + "/A.swift", "import CSQLite\npackage import DataMonkCore\n")
        #expect(Self.wrongImports(in: file).isEmpty)
    }

    @Test func `SQL is found in code and in texts, not in comments`() {
        let file = SourceFile(
            "Sources/DataMonkCore/A.swift",
            """
            // SELECT in a comment
            let statement = "SELECT 1"
            let column = Z_PK
            let text = "a selection: \\(run("DELETE"))"
            """)
        #expect(Self.wordsOfSQL(in: file).map(\.line) == [2, 3, 4])
    }
}
