#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// "Creating and updating objects" in CoreDataMonk's manual.
    @Suite @MainActor final class UpdatingTests {
        private let World: CoreDataMainContext
        private let commits: AsyncStream<Commit>

        init() async throws {
            let dataStack = try CoreDataStack()
            try dataStack.addInMemoryStore()
            World = try CoreDataMainContext(stack: dataStack)
            commits = World.commits
        }

        private func makeMonkAndWarrior() async throws {
            try await World.update { update in
                let monk = try update.create(Person.self)
                monk.name = "Monk"
                let warrior = try update.create(Person.self)
                warrior.name = "Warrior"
                warrior.location = "Taipei"
                try update.commit()
            }
            await nextCommit()
        }

        private func nextCommit() async { for await _ in commits { break } }

        @Test func `an update`() async throws {
            try await makeMonkAndWarrior()

            World.beginUpdate() {
                update in

                let farmer = try update.create(Person.self)
                farmer.name = "Framer"
                farmer.age = 28

                let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
                knight.friend = farmer

                let monk = try update.fetch(Person.self, %"name" == "Monk")
                monk.age = 44
                monk.friend = knight

                try update.commit()
            }

            await nextCommit()
            let monk = try World.fetch(Person.self, %"name" == "Monk")
            #expect(monk.age == 44)
            #expect(monk.friend?.friend?.name == "Framer")
        }

        @Test func `an update that is waited for`() throws {
            // Changed: `try`, since what the block throws is thrown here.
            try waitForUpdate()

            #expect(try World.count(Person.self) == 1)
        }

        private func waitForUpdate() throws {
            try World.beginUpdateAndWait() {
                update in

                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
        }

        @Test func `an object of the main context in an update`() async throws {
            try await makeMonkAndWarrior()

            let warrior = try World.fetch(Person.self, %"name" == "Warrior" && %"location" == "Taipei")

            World.beginUpdate() {
                update in

                let warrior = try update.use(warrior)

                let monk = try update.fetch(Person.self, %"name" == "Monk")
                monk.friend = warrior

                try update.commit()
            }

            await nextCommit()
            #expect(try World.fetch(Person.self, %"name" == "Monk").friend == warrior)
        }

        @Test func `an update in a nested block`() async throws {
            try await makeMonkAndWarrior()

            World.beginUpdate() {
                update in

                let monk = try update.fetch(Person.self, %"name" == "Monk")

                // this will start network connection and return result in callback block
                remote_server.findAge(monk.name, location: monk.location) {
                    age in

                    // you need to call .perform() in nested block
                    update.perform() {
                        update in

                        // it is safe to use the object directly in the same update
                        monk.age = age

                        try update.commit()
                    }
                }
            }

            await nextCommit()
            #expect(try World.fetch(Person.self, %"name" == "Monk").age == 44)
        }

        @Test func `an update of several steps`() async throws {
            takeSteps()

            await nextCommit()
            #expect(try World.fetchAll(Person.self).map(\.name) == ["Monk"])
        }

        @Test func `steps that are not awaited, and a wait for all of them`() throws {
            let context = World.beginUpdateContext()
            context.perform { update in try update.create(Person.self).name = "Monk" }
            context.rollback()
            context.perform { update in try update.create(Person.self).name = "Warrior" }
            context.commit()
            try context.wait()
            #expect(try World.fetchAll(Person.self).map(\.name) == ["Warrior"])
        }

        private func takeSteps() {
            let context = World.beginUpdateContext()

            context.perform() {
                update in

                _ = try update.create(Person.self)
            }

            context.perform() {
                update in

                try update.fetch(Person.self, %"name" == "").name = "Monk"
            }

            context.perform() {
                update in

                try update.commit()
            }
        }
    }
#endif
