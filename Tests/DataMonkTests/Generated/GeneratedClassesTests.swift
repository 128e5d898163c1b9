#if Macros
    import ApplicationCompiler
    import DataMonk
    import DataMonkFixtures
    import DataMonkGeneration
    import Foundation
    import Testing

    /// The classes of model files, compiled. `Tests/Generated/check` does the same with every model of the fixtures, and reads
    /// and writes the stores beside them.
    @Suite struct `The code of generated classes` {
        private static let models = [
            "models/BrowsingHistory/BrowsingHistory.xcdatamodeld", "models/mogenerator/test.xcdatamodel",
        ]

        @Test(.requiresFixtures("models"), arguments: models, [ClassStyle.macro, .plain])
        func `compiles without a warning`(path: String, style: ClassStyle) throws {
            let model = try ManagedObjectModel.load(contentsOf: Fixtures.url(path))
            let classes = try ModelClasses(model, named: "Model", source: "Model", style: style)
            // One file has one list of imports.
            let lines = classes.files.flatMap { $0.text.split(separator: "\n", omittingEmptySubsequences: false) }
            let code = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
            let diagnostics = try Compiler().diagnostics(
                in: "import DataMonk\nimport Foundation\n\(code)", .nonisolated,
                arguments: ["-enable-upcoming-feature", "ExistentialAny"])
            #expect(diagnostics.map(\.description) == [])
        }

        @Test func `compiles where everything else is on the main actor, whatever names a model has`() throws {
            let model = try ManagedObjectModel {
                EntityDescription("Data") {
                    AttributeDescription("bytes", .binary)
                    AttributeDescription("default", .string, isOptional: false, defaultValue: "a\"\\\n\u{202E}")
                    RelationshipDescription("readers", to: "Reader", inverse: "data", isToMany: true, isOrdered: true)
                }
                EntityDescription(
                    "Reader", isAbstract: true, uniquenessConstraints: [["name", "data"], ["condition", "reader"]]
                ) {
                    AttributeDescription("condition", .string)
                    AttributeDescription("reader", .integer32)
                    AttributeDescription("name", .uri, defaultValue: .url(URL(filePath: "/a b")))
                    AttributeDescription("id", .uuid, isOptional: false, defaultValue: .uuid(UUID()))
                    AttributeDescription("price", .decimal, defaultValue: .decimal(1.25), minimum: .decimal(0.5))
                    AttributeDescription("born", .date, minimum: .date(Date(timeIntervalSinceReferenceDate: -0.5)))
                    RelationshipDescription("data", to: "Data", inverse: "readers")
                    RelationshipDescription("peers", to: "Reader", inverse: "peers", isToMany: true, minCount: 1)
                }
                EntityDescription("default") {
                    AttributeDescription(
                        "kind", .integer16, isOptional: false, defaultValue: 1,
                        userInfo: ["enum": "case", "cases": "default=1"])
                    RelationshipDescription("next", to: "default", inverse: "previous")
                    RelationshipDescription("previous", to: "default", inverse: "next", isToMany: true)
                }
                EntityDescription("Query", superentityName: "Reader", uniquenessConstraints: [["name", "data"]]) {
                    AttributeDescription(
                        "place", .composite, elements: [AttributeDescription("city", .string)])
                }
            }
            for style in ClassStyle.allCases {
                let classes = try ModelClasses(model, named: "Model", source: "Model", style: style, access: .public)
                let lines = classes.files.flatMap { $0.text.split(separator: "\n", omittingEmptySubsequences: false) }
                let code = lines.filter { !$0.contains("import ") }.joined(separator: "\n")
                let diagnostics = try Compiler().diagnostics(
                    in: "import DataMonk\nimport Foundation\n\(code)", .mainActor)
                #expect(diagnostics.map(\.description) == [], "\(style)")
            }
        }
    }
#endif
