#if Macros
    import DataMonk
    import Foundation

    /// Entities for tests of the spellings of a query, and four monks of them, in a store of each kind.
    enum Abbey {
        enum Rank: Int, ManagedAttribute, CaseIterable, Codable { case novice, monk, abbot }

        @Entity("Being", isAbstract: true) class Being: ManagedObject {
            var name: String = ""
            var born: Date?
        }

        @Entity("Brother") final class Monk: Being {
            var age: Int = 0
            var height: Double = 0
            var salary: Decimal = 0
            var rank: Rank = .novice
            var nick: String?
            var isAwake: Bool = false
            var badge: UUID?
            var seal: Data?
            private(set) var secret: String = ""
            @Relationship(inverse: \Monk.pupils) var teacher: Monk?
            var pupils: Set<Monk>
            @Relationship(inverse: \Temple.monks) var temple: Temple?

            var isGrown: Bool { age >= 18 }
        }

        @Entity("Temple") final class Temple: ManagedObject {
            var title: String = ""
            var monks: [Monk]
        }

        enum StoreKind: CaseIterable { case memory, file }

        static let badge = UUID()

        /// The monks in a store of each kind, with the folder that must live as long.
        @MainActor static func inEachStore() async throws -> [(MainContext, TemporaryFolder)] {
            var worlds: [(MainContext, TemporaryFolder)] = []
            for kind in StoreKind.allCases {
                let folder = try TemporaryFolder()
                let stack = try Stack(Monk.self, Temple.self)
                switch kind {
                case .memory: try stack.addInMemoryStore()
                case .file: try stack.addDatabaseStore(fileURL: folder.file("Abbey.sqlite"))
                }
                let World = try MainContext(stack: stack)
                try await World.update { update in try fill(update) }
                worlds.append((World, folder))
            }
            return worlds
        }

        /// Wei (60, abbot) teaches Bo (30) and Émile (17); nobody teaches Chan (30), who has neither temple nor nick.
        private static func fill(_ update: Update) throws {
            let temple = try update.create(Temple.self)
            temple.title = "White Horse"
            let wei = try make(update, "Wei", 60, 1.70, "0.1", .abbot, nick: "old")
            let bo = try make(update, "Bo", 30, 1.80, "0.2", .monk, nick: "Bo")
            let emile = try make(update, "Émile", 17, 1.60, "100", .novice, nick: "")
            _ = try make(update, "Chan", 30, 1.50, "7", .monk, nick: nil)
            (bo.teacher, emile.teacher) = (wei, wei)
            temple.monks = [wei, bo, emile]
            wei.isAwake = true
            wei.badge = badge
            wei.seal = Data([1, 2])
            wei.born = Date(timeIntervalSinceReferenceDate: 0)
            bo.born = Date(timeIntervalSinceReferenceDate: 1000)
            try update.commit()
        }

        private static func make(
            _ update: Update, _ name: String, _ age: Int, _ height: Double, _ salary: String, _ rank: Rank,
            nick: String?
        ) throws -> Monk {
            let monk = try update.create(Monk.self)
            monk.name = name
            monk.age = age
            monk.height = height
            monk.salary = Decimal(string: salary) ?? 0
            monk.rank = rank
            monk.nick = nick
            return monk
        }
    }

    extension MainContext {
        /// The names of the monks that meet a condition, sorted.
        func names(where condition: (TypedObject<Abbey.Monk>) throws -> Query) throws -> [String] {
            try fetchAll(Abbey.Monk.self, where: condition).map(\.name).sorted()
        }

        /// The names of the monks that meet a condition, sorted.
        func names(_ query: Query) throws -> [String] { try fetchAll(Abbey.Monk.self, query).map(\.name).sorted() }
    }
#endif
