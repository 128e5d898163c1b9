#if Macros
    import DataMonk
    import Testing

    typealias CoreDataContext = Context
    typealias CoreDataMainContext = MainContext
    typealias CoreDataUpdate = Update
    typealias CoreDataUpdateContext = UpdateContext

    @Suite @MainActor struct FromCoreDataMonkTests {
        private struct Server: Sendable {
            func findAge(_ name: String, answer: @escaping @Sendable (Int) -> Void) { answer(45) }

            func age(of name: String) async -> Int { 46 }
        }

        private func nextCommit(_ commits: AsyncStream<Commit>) async { for await _ in commits { break } }

        @Test func `an object of the main context in an update`() async throws {
            let World = try await Village().world
            let commits = World.commits
            func begin() throws {
                let warrior = try World.fetch(Person.self, %"name" == "Warrior")

                World.beginUpdate(using: warrior.objectID) { update, warrior in
                    let monk = try update.fetch(Person.self, %"name" == "Monk")
                    monk.friend = warrior
                    try update.commit()
                }
            }
            try begin()
            await nextCommit(commits)
            #expect(try World.fetch(Person.self, %"name" == "Monk").friend?.name == "Warrior")
        }

        @Test func `an update that goes on in a callback, and one that awaits`() async throws {
            let (World, server) = (try await Village().world, Server())
            let commits = World.commits
            func begin() {
                World.beginUpdate { update in
                    let monk = try update.fetch(Person.self, %"name" == "Monk")
                    let id = monk.objectID
                    let context = update.context
                    server.findAge(monk.name) { age in
                        context.beginPerform { update in
                            try update.use(id).age = age
                            try update.commit()
                        }
                    }
                }
            }
            begin()
            await nextCommit(commits)
            #expect(try World.fetch(Person.self, %"name" == "Monk").age == 45)
            func beginAwaiting() {
                World.beginUpdate { update in
                    let monk = try update.fetch(Person.self, %"name" == "Monk")
                    monk.age = await server.age(of: monk.name)
                    try update.commit()
                }
            }
            beginAwaiting()
            await nextCommit(commits)
            #expect(try World.fetch(Person.self, %"name" == "Monk").age == 46)
        }
    }
#endif
