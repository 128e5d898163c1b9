#if Macros
    import ApplicationCompiler
    import Testing

    /// What the compiler says of a property whose type cannot be stored as it is declared.
    @Suite(.timeLimit(.minutes(60))) struct `A type that no attribute has` {
        /// Each with the remedy that one of its errors names.
        private static let properties = [
            ("var size: Size?", "@Attribute(.codable)"),
            ("var words: [String] = []", "@Attribute(.codable)"),
            ("var numbers: Set<Int> = []", "@Attribute(.codable)"),
            ("var votes: [String: Int] = [:]", "@Attribute(.codable)"),
            ("@Attribute(.codable) var opaque: Opaque?", "conforms to Codable and Sendable"),
        ]

        @Test(arguments: properties) func `is refused with the remedy`(property: String, remedy: String) throws {
            let errors = try Compiler().errors(
                in: """
                    import DataMonk
                    struct Size: Codable { var width: Int }
                    struct Opaque { var width: Int }
                    @Entity final class Thing: ManagedObject { \(property) }
                    """, .nonisolated)
            #expect(errors.contains { $0.message.contains(remedy) }, "\(errors)")
        }

        @Test func `none of these is an error with the remedy applied`() throws {
            let errors = try Compiler().errors(
                in: """
                    import DataMonk
                    struct Size: Codable { var width: Int }
                    @Entity final class Thing: ManagedObject {
                        @Attribute(.codable) var size: Size?
                        @Attribute(.codable) var words: [String] = []
                        @Attribute(.codable) var numbers: Set<Int> = []
                        @Attribute(.codable) var votes: [String: Int] = [:]
                    }
                    """, .nonisolated)
            #expect(errors.isEmpty, "\(errors)")
        }

        @Test func `objects of a value on the main actor do not come elsewhere`() throws {
            let errors = try Compiler().errors(
                in: """
                    import DataMonk
                    nonisolated func follow(_ World: MainContext) async throws {
                        for try await objects in await World.observeOnMain({ try $0.fetchAll(ManagedObject.self) }) {
                            print(objects.count)
                        }
                    }
                    """, .nonisolated)
            #expect(!errors.isEmpty)
        }
    }
#endif
