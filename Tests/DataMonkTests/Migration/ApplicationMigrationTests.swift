#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// An application in three versions, as its user meets them: each opens the file that the one before left.
    @MainActor @Suite struct `An application over three versions` {
        /// Monks, alone.
        private enum First {
            @Entity("Monk") final class Monk: ManagedObject {
                var name: String = ""
                var age: Int?
            }
        }

        /// An entity that sorts before the monks, an attribute, and a relationship between them.
        private enum Second {
            @Entity("Monk") final class Monk: ManagedObject {
                var name: String = ""
                var age: Int?
                var rank: String = "novice"
                var abbey: Abbey?
            }

            @Entity("Abbey") final class Abbey: ManagedObject {
                var name: String = ""
                @Relationship(inverse: \Monk.abbey) var monks: Set<Monk>
            }
        }

        /// Monks are people now, some of them abbots; names were renamed, ages are always there, and abbeys keep an order.
        private enum Third {
            @Entity("Person", originalName: "Monk") class Person: ManagedObject {
                @Attribute(originalName: "name") var fullName: String = ""
                var age: Int = 18
                var rank: String = "novice"
                var abbey: Abbey?
                @Relationship(inverse: "friends") var friends: Set<Person>
            }

            @Entity("Abbot") final class Abbot: Person {
                var since: Date?
            }

            @Entity("Abbey") final class Abbey: ManagedObject {
                @Attribute(.unique) var name: String = ""
                @Relationship(inverse: \Person.abbey) var monks: [Person]
            }
        }

        private let folder: TemporaryFolder
        private var url: URL { folder.file("monks.sqlite") }

        init() throws { folder = try TemporaryFolder() }

        private func open(_ stack: Stack) throws -> MainContext {
            try stack.addDatabaseStore(fileURL: url)
            return try MainContext(stack: stack)
        }

        @Test func `keeps its data`() async throws {
            try await useFirst()
            try await useSecond()
            try await useThird()
            // The version before is refused the new file, not given half of it.
            #expect(throws: MigrationError.self) { try Stack(Second.Monk.self).addDatabaseStore(fileURL: url) }
        }

        private func useFirst() async throws {
            let stack = try Stack(First.Monk.self)
            let World = try open(stack)
            try await World.update { update in
                for (name, age) in [("Wukong", 500), ("Bajie", nil)] as [(String, Int?)] {
                    let monk = try update.create(First.Monk.self)
                    monk.name = name
                    monk.age = age
                }
                try update.commit()
            }
            try stack.close()
        }

        private func useSecond() async throws {
            let stack = try Stack(Second.Monk.self)
            let World = try open(stack)
            let monks = try World.fetchAll(Second.Monk.self, orderBy: .Ascending("name"))
            #expect(monks.map(\.name) == ["Bajie", "Wukong"] && monks.map(\.age) == [nil, 500])
            #expect(monks.allSatisfy { $0.rank == "novice" && $0.abbey == nil })
            try await World.update { update in
                let abbey = try update.create(Second.Abbey.self)
                abbey.name = "Leiyin"
                abbey.monks = Set(try update.fetchAll(Second.Monk.self))
                let master = try update.create(Second.Monk.self)
                master.name = "Xuanzang"
                master.rank = "master"
                try update.commit()
            }
            try stack.close()
        }

        private func useThird() async throws {
            let stack = try Stack(Third.Person.self, Third.Abbot.self)
            let World = try open(stack)
            let people = try World.fetchAll(Third.Person.self, orderBy: .Ascending("fullName"))
            #expect(people.map(\.fullName) == ["Bajie", "Wukong", "Xuanzang"])
            #expect(people.map(\.age) == [18, 500, 18] && people.map(\.rank) == ["novice", "novice", "master"])
            let abbey = try World.fetch(Third.Abbey.self, %"name" == "Leiyin")
            #expect(Set(abbey.monks.map(\.fullName)) == ["Bajie", "Wukong"] && people[0].abbey === abbey)
            try await World.update { update in
                let abbot = try update.create(Third.Abbot.self)
                abbot.fullName = "Tang"
                abbot.abbey = try update.fetch(Third.Abbey.self, %"name" == "Leiyin")
                abbot.friends = Set(try update.fetchAll(Third.Person.self, %"rank" == "novice"))
                try update.commit()
            }
            #expect(try World.fetchAll(Third.Person.self, %"friends.fullName"%.any == "Tang").count == 2)
            try stack.close()
        }
    }
#endif
