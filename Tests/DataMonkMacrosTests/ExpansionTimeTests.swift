#if Macros
    import Foundation
    import Testing

    /// The time that expanding takes, as a figure: no test asserts a time.
    @Suite struct `The time of an expansion` {
        /// Each entity has twelve properties of the usual kinds.
        private static func source(entities: Int) -> String {
            (0..<entities).map { number in
                """
                @Entity final class Entity\(number): ManagedObject {
                    #Index<Entity\(number)>([\\.name, \\.age])
                    @Attribute(.unique) var email: String = ""
                    var name: String = ""
                    var age: Int16 = 0
                    var born: Date?
                    var height: Double = 0
                    @Attribute(.externalStorage) var photo: Data?
                    @Attribute(.minimum(0), .maximum(100)) var score: Int = 0
                    @Transient var isSelected: Bool = false
                    @Attribute(.codable) var words: [String] = []
                    @Relationship(deleteRule: .cascade, inverse: \\Entity\(number).parent) var children: Set<Entity\(number)>
                    var parent: Entity\(number)?
                    var friends: [Entity\(number)]
                }

                """
            }.joined()
        }

        @Test func `many entities expand without a problem`() {
            let variable = ProcessInfo.processInfo.environment["DATAMONK_EXPANSIONS"].flatMap(Int.init)
            let count = variable ?? 5
            let start = ContinuousClock.now
            let expansion = Expansion(Self.source(entities: count))
            let duration = ContinuousClock.now - start
            #expect(expansion.problems == [])
            if variable != nil { print("\(count) entities expanded, \(duration / count) each") }
        }
    }
#endif
