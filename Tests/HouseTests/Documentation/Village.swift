#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// The people that the articles speak of, in memory.
    @MainActor struct Village {
        let stack: Stack
        let world: MainContext

        init() async throws {
            stack = try .inMemory(Person.self)
            world = try MainContext(stack: stack)
            let farmer = try await add("Farmer", age: 28)
            let knight = try await add("Knight", age: 18, friend: farmer)
            _ = try await add("Monk", age: 44, location: "Taipei", friend: knight)
            _ = try await add("Warrior", age: 30, location: "Taipei")
        }

        private func add(
            _ name: String, age: Int, location: String? = nil, friend: ObjectID<Person>? = nil
        ) async throws -> ObjectID<Person> {
            try await world.update { update in
                let person = try update.create(Person.self)
                person.name = name
                person.age = age
                person.location = location
                person.friend = try friend.map { try update.use($0) }
                try update.commit()
                return person.objectID
            }
        }

        /// Runs a test with a place for a file that no other test has.
        static func withFile(_ body: (URL) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(folder.appending(path: "Village.sqlite"))
        }
    }
#endif
