#if Macros
    import DataMonk
    import Foundation

    /// Entities for the tests of what the macros write, apart from those of other tests.
    enum Monastery {
        enum Rank: Int, ManagedAttribute, CaseIterable { case novice, monk, abbot }

        @Entity("Being", isAbstract: true) class Being: ManagedObject {
            #Index<Being>([\.name])
            var name: String = "nobody"
            var born: Date?
        }

        /// Without an entity: what it adds is code only.
        class Speaker: Being {
            func greeting() -> String { "I am \(name)" }
        }

        @Entity final class Monk: Speaker {
            #Unique<Monk>([\.name, \.rank])
            var rank: Rank = .novice
            @Attribute(.unique, originalName: "no") var number: Int?
            @Transient var isAwake: Bool = true
            @Relationship(inverse: \Monk.pupils) var teacher: Monk?
            var pupils: Set<Monk>
            @Relationship(.required, inverse: \Temple.monks) var temple: Temple?
            @Relationship(inverse: "brothers") var brothers: Set<Monk>
        }

        @Entity final class Temple: ManagedObject {
            @Relationship(deleteRule: .cascade) var monks: [Monk]
        }
    }
#endif
