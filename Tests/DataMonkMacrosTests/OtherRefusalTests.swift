#if Macros
    import ApplicationCompiler
    import Testing

    /// Declarations that no macro can know to be wrong, because it sees a single class: the sentence is that of an unavailable
    /// function, or the compiler's own.
    @Suite(.timeLimit(.minutes(60))) struct `What the compiler says of what the macros cannot see` {
        private static let withoutManagedAttribute = "conform to ManagedAttribute, as an enum with a raw value can"

        /// Properties of an entity, each with a part of the sentence that names the remedy.
        private static let properties = [
            ("var mood: Mood = .good", withoutManagedAttribute),
            ("var mood: Mood?", withoutManagedAttribute),
            ("var state: State = .on", withoutManagedAttribute),
            ("var size: Size?", "mark the property @Attribute(.codable)"),
            ("var size: Size = Size()", "mark the property @Attribute(.codable)"),
            ("var sizes: [Size] = []", "mark the property @Attribute(.codable)"),
            ("var thing: Thing?", "no attribute's and no entity's"),
            ("var things: [Thing]", "no attribute's and no entity's"),
            ("var anything: Any?", "no attribute's and no entity's"),
            ("var result: Result<Int, any Error>?", "no attribute's and no entity's"),
            ("@Attribute(.codable) var thing: Thing?", "conforms to Codable and Sendable"),
            (
                #"@Relationship(inverse: \Book.autor) var books: Set<Book>"#,
                "Book' has no member 'autor'"
            ),
            (
                #"@Relationship(inverse: \Book.title) var books: Set<Book>"#,
                "Name the relationship that leads back, or remove 'inverse:'"
            ),
            ("#Unique<Author>([\\.nme])", "Author' has no member 'nme'"),
            ("#Index<Author>([\\.name], [\\Author.aeg])", "Author' has no member 'aeg'"),
            // Inverses on both sides: the compiler's own words, because it stops before any macro is asked.
            (
                #"""
                @Relationship(inverse: \Shop.author) var shops: Set<Shop>
                        }
                        @Entity final class Shop: ManagedObject {
                            @Relationship(inverse: \Author.shops) var author: Author?
                """#,
                "circular reference resolving attached macro 'Relationship'"
            ),
        ]

        @Test func `each has its sentence`() throws {
            let errors = try Compiler().errors(inFiles: Self.module, .nonisolated)
            for (number, (property, sentence)) in Self.properties.enumerated() {
                // An error in the expansion of an expansion has no place but its file, which is named after the enum.
                let messages = errors.filter {
                    $0.file.contains("Case\(number).") || $0.file.contains("Case\(number)O")
                }
                .map(\.message)
                #expect(messages.contains { $0.contains(sentence) }, "\(property): \(messages)")
            }
        }

        @Test func `what they should have been compiles`() throws {
            let errors = try Compiler().errors(
                inFiles: [
                    "Application.swift": """
                    import DataMonk
                    enum Mood: String, ManagedAttribute, CaseIterable { case good }
                    nonisolated struct Size: Codable { var width = 0 }
                    @Entity class Writer: ManagedObject { var name: String = "" }
                    @Entity final class Author: Writer {
                        #Unique<Author>([\\.name])
                        #Index<Author>([\\.name, \\Author.age])
                        var age: Int = 0
                        var mood: Mood = .good
                        @Attribute(.codable) var size: Size?
                        @Attribute(.codable) var sizes: [Size] = []
                        @Relationship(inverse: \\Book.author) var books: Set<Book>
                        @Relationship(inverse: \\Book.readers) var reading: Book?
                        @Relationship(inverse: \\Book.`default`) var standard: Book?
                        @Relationship(inverse: \\Book.editors) var edited: Set<Book>
                    }
                    @Entity final class Book: ManagedObject {
                        var author: Author?
                        var readers: [Author]
                        var `default`: Author!
                        var editors: Set<Author>
                    }
                    """
                ], .mainActor)
            #expect(errors.map(\.description) == [])
        }

        private static var module: [String: String] {
            let files = properties.enumerated().map { number, property in
                (
                    "Case\(number).swift",
                    """
                    import DataMonk
                    enum Case\(number) {
                        enum Mood: String { case good }
                        enum State { case on }
                        struct Size: Codable { var width = 0 }
                        class Thing {}
                        @Entity class Writer: ManagedObject { var name: String = "" }
                        @Entity final class Author: Writer {
                            \(property.0)
                            var age: Int = 0
                        }
                        @Entity final class Book: ManagedObject {
                            var title: String = ""
                            var author: Author?
                        }
                    }

                    """
                )
            }
            return Dictionary(uniqueKeysWithValues: files)
        }
    }
#endif
