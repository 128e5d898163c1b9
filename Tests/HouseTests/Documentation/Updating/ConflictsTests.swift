#if Macros
    import DataMonk
    import Testing

    @Suite @MainActor struct ConflictsTests {
        private nonisolated func older(_ age: Int) async throws -> Int { age + 1 }

        @Test func `an increment`() async throws {
            let World = try await Village().world
            let id = try World.fetch(Person.self, %"name" == "Monk").objectID
            try await World.update { update in
                try update.increment(\.age, by: 1, of: id)
                try update.commit()
            }
            try await World.update { update in
                try update.increment(\.age, by: 1, of: id)  // adds to what the store holds at the commit
                try update.commit()
            }
            #expect(try World.use(id).age == 46)
        }

        @Test func `an update that may run again`() async throws {
            let World = try await Village().world
            let id = try World.fetch(Person.self, %"name" == "Monk").objectID
            let age = try await World.update(retrying: 10) { update in
                let monk = try update.use(id)
                monk.age = try await older(monk.age)
                try update.commit()
                return monk.age
            }
            #expect(age == 45)
        }

        @Test func `as the README has it`() async throws {
            let World = try await Village().world
            let id = try World.fetch(Person.self, %"name" == "Monk").objectID
            let age = try await World.update(retrying: 10) { update in  // runs again after a conflict
                let monk = try update.use(id)
                monk.age = try await older(monk.age)
                try update.commit()
                return monk.age
            }
            #expect(age == 45)
        }
    }
#endif
