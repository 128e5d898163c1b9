#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// An object of the entity `Hive`.
    final class Hive: ManagedObject {
        /// The declaration of the entity, which is generated with the properties.
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            declareEntity(of: Hive.self)
        }

        /// The names of the properties by key path, which are generated with them.
        override nonisolated class var keyNames: [AnyKeyPath: String] {
            collectKeyNames(of: Hive.self)
        }

        override func awakeFromInsert() { settled = Date() }
    }

    @EntityProperties
    nonisolated extension Hive {
        #Unique<Hive>([\.name])
        /// The attribute `honey`.
        var honey: Double = 0

        /// The attribute `mood`.
        var mood: HiveMood = HiveMood.calm

        /// The attribute `name`.
        var name: String = ""

        /// The attribute `settled`.
        var settled: Date?

        /// The relationship `visits`.
        @Relationship(deleteRule: .cascade, inverse: \HiveVisit.hive)
        var visits: [HiveVisit]
    }

    nonisolated extension Hive {
        /// Adds an object to `visits`, and sets its inverse.
        func addToVisits(_ object: HiveVisit) { add(object, to: \.visits) }

        /// Fetches the object with `name`, of which there is one at most.
        static func fetch(name: String, in reader: Reader) throws -> Hive? {
            let condition = Condition.compare("name", .equal, name.formatArgument)
            return try reader.first(Hive.self, Query(condition))
        }
    }

    nonisolated enum HiveMood: Int16, CaseIterable, ManagedAttribute {
        case calm = 0
        case restless = 1
    }

    @Entity final class HiveVisit: ManagedObject {
        var text: String = ""
        var hive: Hive?
    }

    @Suite @MainActor struct FromCoreDataTests {
        @Test func `the ten pieces of code`() async throws {
            try await Village.withFile { url in
                let stack = try Stack(Hive.self)
                try stack.addDatabaseStore(fileURL: url)
                let World = try MainContext(stack: stack)

                try await World.update { update in
                    let hive = try update.create(Hive.self)
                    hive.name = "Linden"
                    try update.commit()
                }
                let rich = try World.fetchAll(Hive.self, %"honey" > 10, orderBy: .ascending(\.name))
                let count = try World.count(Hive.self, %"mood" == HiveMood.calm)
                let linden = try Hive.fetch(name: "Linden", in: World.reader)
                #expect(rich.isEmpty && count == 1 && linden?.settled != nil)

                try await World.update { update in
                    let (hive, visit) = (try update.fetch(Hive.self), try update.create(HiveVisit.self))
                    hive.addToVisits(visit)
                    let last = hive.visits.last
                    #expect(last == visit && visit.hive == hive)
                    try update.commit()
                }

                let hive = try World.fetch(Hive.self)
                let id = hive.objectID
                try await World.update { update in
                    try update.use(id).honey += 2
                    try update.commit()
                }
                #expect(try World.fetch(Hive.self).honey == 2)
                try await World.update { update in
                    _ = try update.batchUpdate(Hive.self, set: ["honey": .value(0)])
                }
                #expect(try World.count(Hive.self, %"honey" == 0) == 1)
                try await World.update { update in
                    try update.delete(update.use(id))
                    try update.commit()
                }
                #expect(try World.count(HiveVisit.self) == 0)
                try stack.close()
            }
        }
    }
#endif
