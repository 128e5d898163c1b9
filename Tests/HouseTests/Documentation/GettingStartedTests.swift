#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct GettingStartedTests {
        @Test func `a graph is written to a file and read from it`() async throws {
            try await Village.withFile { url in
                let stack = try Stack(Person.self)
                try stack.addDatabaseStore(fileURL: url)
                let World = try MainContext(stack: stack)

                try await World.update { update in
                    let farmer = try update.create(Person.self)
                    farmer.name = "Farmer"
                    farmer.age = 28

                    let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
                    knight.friend = farmer

                    try update.commit()
                }

                let knight = try World.fetch(Person.self, %"name" == "Knight")
                let some = try World.fetchAll(
                    Person.self, %"age" >= 18 || %"location" == "Taipei",
                    orderBy: .Ascending("name") | .Descending("age"), options: .Limit(100) | .Offset(20))
                let mean = try World.queryValue(Person.self, .Average("age"))

                #expect(knight.friend?.name == "Farmer")
                #expect(some.isEmpty)
                #expect(mean == .decimal(23))
                try stack.close()
            }
        }

        @Test func `an update returns an id`() async throws {
            let World = try await Village().world
            let id = try await World.update { update in
                let monk = try update.create(Person.self)
                monk.name = "Monk"
                try update.commit()
                return monk.objectID
            }
            #expect(try World.use(id).name == "Monk")
        }

        @Test func `what the main context reads`() async throws {
            let World = try await Village().world
            let monk = try World.fetch(Person.self, %"name" == "Monk")
            let grown = try World.fetchAll(Person.self, %"age" >= 18, orderBy: .Ascending("name"))
            #expect(monk.age == 44)
            #expect(grown.map(\.name) == ["Farmer", "Knight", "Monk", "Warrior"])
        }

        @Test func `a commit shows at the next call`() async throws {
            let World = try await Village().world
            try await World.update { update in
                try update.deleteAll(Person.self)
                try update.commit()
            }
            try await World.update { update in
                let monk = try update.create(Person.self)
                monk.name = "Monk"
                try update.commit()
            }
            let monk = try World.fetch(Person.self, %"name" == "Monk")
            #expect(monk.age == 0)
        }

        @Test func `a reader reads off the main actor`() async throws {
            let World = try await Village().world
            let names = try await World.read { reader in
                try reader.fetchAll(Person.self, %"age" >= 18).map(\.name)
            }
            #expect(names.count == 4)
        }

        @Test func `an object is taken into an update`() async throws {
            let World = try await Village().world
            let warrior = try World.fetch(Person.self, %"name" == "Warrior")
            let handle = World.beginUpdate(using: warrior.objectID) { update, warrior in
                warrior.age += 1
                try update.commit()
            }
            try await handle.value
            #expect(try World.count(Person.self, %"age" == 31) == 1)
        }

        @Test func `steps of an update commit together`() async throws {
            let World = try await Village().world
            let context = World.beginUpdateContext()
            try await context.perform { update in
                try update.create(Person.self).name = "Miller"
            }
            #expect(try World.count(Person.self, %"name" == "Miller") == 0)
            try await context.perform { update in
                try update.commit()
            }
            #expect(try World.count(Person.self, %"name" == "Miller") == 1)
        }

        @Test func `objects are deleted`() async throws {
            let World = try await Village().world
            try await World.update { update in
                try update.delete(update.fetch(Person.self, %"name" == "Farmer"))
                try update.deleteAll(Person.self, %"age" < 18)
                try update.commit()
            }
            #expect(try World.fetch(Person.self, %"name" == "Knight").friend == nil)
        }

        @Test func `an error is known by its code`() async throws {
            let World = try await Village().world
            do {
                try await World.update { update in
                    try update.fetch(Person.self, %"name" == "Emperor").age += 1
                    try update.commit()
                }
            } catch let error as FetchError where error.code == .objectNotFound {
                print("There is no emperor.")
            }
        }
    }
#endif
