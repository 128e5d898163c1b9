#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// "Retrieving objects" in CoreDataMonk's manual.
    @Suite @MainActor final class RetrievingTests {
        private let World: CoreDataMainContext

        init() async throws {
            let dataStack = try CoreDataStack()
            try dataStack.addInMemoryStore()
            World = try CoreDataMainContext(stack: dataStack)
            try await World.update { update in
                for number in 0..<30 {
                    let person = try update.create(Person.self)
                    person.name = ["Monk", "Warrior", "Farmer"][number % 3]
                    person.age = number
                    person.location = number % 2 == 0 ? "Taipei" : "Tainan"
                }
                try update.commit()
            }
        }

        @Test func `an object`() throws {
            // you can add % prefix to tell CoreDataMonk it is for key name
            let monk = try World.fetch(Person.self, %"name" == "Monk")

            let warrior = try World.fetch(Person.self, %"name" == "Warrior" && %"location" == "Taipei")

            #expect(monk.name == "Monk")
            #expect(warrior.name == "Warrior" && warrior.location == "Taipei")
        }

        @Test func `an array of objects`() throws {
            let monks = try World.fetchAll(Person.self)

            #expect(monks.count == 30)
        }

        @Test func `more conditions`() throws {
            let monks = try World.fetchAll(
                Person.self,
                %"age" >= 18 || %"location" == "Taipei",
                orderBy: .Ascending("name") | .Descending("age"),
                options: .Limit(100) | .Offset(20)
            )

            // Twelve are grown up, nine more live in Taipei.
            #expect(monks.map(\.name) == ["Warrior"])
        }

        @Test func `a value`() throws {
            let age = try World.queryValue(Person.self, .Average("age"))

            // Changed: a managed value instead of an NSNumber, so no cast.
            #expect(Double(managedValue: age) == 14.5)
        }

        @Test func `many values`() throws {
            let info_list = try World.query(
                Person.self,
                .Select("location") | .Average("age"),
                %"name" == "Monk",
                orderBy: .Descending("age"),
                groupBy: %"location"
            )

            var found: [String: Double] = [:]
            for info in info_list {
                // Changed: managed values instead of casts.
                let location = String(managedValue: info["location"]!)!
                let age = Double(managedValue: info["age"]!)!
                found[location] = age
            }
            #expect(found == ["Taipei": 12, "Tainan": 15])
        }
    }
#endif
