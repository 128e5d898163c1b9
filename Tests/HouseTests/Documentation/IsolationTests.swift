#if Macros
    import DataMonk
    import Testing

    @Suite @MainActor struct IsolationTests {
        /// Answers in both ways.
        struct Server: Sendable {
            func findAge(_ name: String, answer: @escaping @Sendable (Int) -> Void) { answer(45) }

            func age(of name: String) async -> Int { 46 }
        }

        struct Row: Sendable {
            let person: ObjectID<Person>
            let title: String
        }

        @Test func `an id crosses into an update`() async throws {
            let World = try await Village().world
            let monk = try World.fetch(Person.self, %"name" == "Monk")
            let id = monk.objectID
            try await World.update { update in
                let monk = try update.use(id)
                monk.age += 1
                try update.commit()
            }
            #expect(try World.use(id).age == 45)
            #expect(Row(person: id, title: monk.name).title == "Monk")
        }

        @Test func `ids come out of an update`() async throws {
            let World = try await Village().world
            let ids = try await World.update { update in
                let found = try update.fetchAll(Person.self, %"age" >= 18)
                return found.map(\.objectID)
            }
            let people = try World.use(ids)
            #expect(people.count == 4)
        }

        @Test func `a value crosses into a task`() async throws {
            let monk = try await Village().world.fetch(Person.self, %"name" == "Monk")
            let name = monk.name
            Task.detached {
                print(name)
            }
        }

        @Test func `an update goes on in a callback`() async throws {
            let (World, server) = (try await Village().world, Server())
            let context = try await World.update { update in
                let monk = try update.fetch(Person.self, %"name" == "Monk")
                let (context, id) = (update.context, monk.objectID)
                server.findAge(monk.name) { age in
                    context.beginPerform { update in
                        try update.use(id).age = age
                        try update.commit()
                    }
                }
                return context
            }
            try await context.wait()
            #expect(try World.count(Person.self, %"age" == 45) == 1)
        }

        @Test func `an update goes on after an await`() async throws {
            let (World, server) = (try await Village().world, Server())
            try await World.update { update in
                let monk = try update.fetch(Person.self, %"name" == "Monk")
                monk.age = await server.age(of: monk.name)
                try update.commit()
            }
            #expect(try World.count(Person.self, %"age" == 46) == 1)
        }

        nonisolated(nonsending) func promote(_ person: Person, by server: Server) async {
            person.age = await server.age(of: person.name)
        }

        @Test func `a function of one's own goes on after an await`() async throws {
            let (World, server) = (try await Village().world, Server())
            try await World.update { update in
                await promote(try update.fetch(Person.self, %"name" == "Monk"), by: server)
                try update.commit()
            }
            #expect(try World.count(Person.self, %"age" == 46) == 1)
        }
    }
#endif
