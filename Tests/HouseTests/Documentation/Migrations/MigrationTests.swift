#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct MigrationTests {
        private enum First {
            @Entity("Guest") final class Guest: ManagedObject {
                var name: String = ""
            }
        }

        private enum Second {
            @Entity("Guest") final class Guest: ManagedObject {
                @Attribute(originalName: "name") var fullName: String = ""
                var rank: String = "novice"
                var room: Room?
            }

            @Entity("Room") final class Room: ManagedObject {
                var number: Int = 0
                @Relationship(inverse: \Guest.room) var guests: Set<Guest>
            }
        }

        private enum Third {
            @Entity("Guest") final class Guest: ManagedObject {
                var fullName: String = ""
                var rank: Int = 0
            }
        }

        private func makeFirst(_ url: URL) async throws {
            let stack = try Stack(First.Guest.self)
            try stack.addDatabaseStore(fileURL: url)
            try await Context(stack: stack).update { update in
                try update.create(First.Guest.self).name = "Monk"
                try update.commit()
            }
            try stack.close()
        }

        @Test func `the next version`() async throws {
            typealias Guest = Second.Guest
            try await Village.withFile { url in
                try await makeFirst(url)
                let stack = try Stack(Guest.self)
                try stack.addDatabaseStore(fileURL: url)
                let World = try MainContext(stack: stack)
                let guest = try World.fetch(Guest.self, %"fullName" == "Monk")
                #expect(guest.rank == "novice" && guest.room == nil)
                try stack.close()
            }
        }

        @Test func `progress is reported`() async throws {
            try await Village.withFile { url in
                try await makeFirst(url)
                let stack = try Stack(Second.Guest.self)
                try stack.addDatabaseStore(fileURL: url) { progress in
                    print("\(progress.entityName ?? "The store"): \(Int(progress.fractionCompleted * 100)) %")
                }
                try stack.close()
            }
        }

        @Test func `a type that changes`() async throws {
            try await Village.withFile { url in
                try await makeFirst(url)
                try Stack(Second.Guest.self).addDatabaseStore(fileURL: url)
                let stack = try Stack(Third.Guest.self)
                do {
                    try stack.addDatabaseStore(fileURL: url)
                } catch let error as MigrationError where error.code == .notInferable {
                    for problem in error.problems { print(problem) }
                }
                #expect(throws: MigrationError.self) { try stack.addDatabaseStore(fileURL: url) }
            }
        }

        @Test func `a mapping by hand`() async throws {
            try await Village.withFile { url in
                try await makeFirst(url)
                let firstModel = try ManagedObjectModel(classes: [First.Guest.self])
                let secondModel = try ManagedObjectModel(classes: [Second.Guest.self])
                let model = try ManagedObjectModel(classes: [Third.Guest.self])
                let ranks: [ManagedValue: ManagedValue] = ["novice": 1, "abbot": 2]
                let rank = PropertyMapping.computed("rank", from: ["rank"]) { row in
                    try ranks[row.value(forKey: "rank")] ?? .null
                }
                let migration = StagedMigration(
                    from: firstModel,
                    [.lightweight(to: secondModel), .custom(to: model, mapping: [.transform("Guest", [rank])])])
                let stack = Stack(model: model)
                try stack.addDatabaseStore(fileURL: url, stages: migration)
                let World = try MainContext(stack: stack)
                let guest = try World.fetch(Third.Guest.self)
                #expect(guest.rank == 1 && guest.fullName == "Monk")
                try stack.close()
            }
        }

        @Test func `the plan of a migration`() async throws {
            try await Village.withFile { url in
                try await makeFirst(url)
                let stack = try Stack(Second.Guest.self)
                let plan = try await stack.migrationPlan(for: .database(fileURL: url))
                for step in plan.steps { print(step) }
                for discard in plan.discards where !discard.isPermitted { print(discard.problem) }
                print(plan.requiredByteCount)
                #expect(plan.steps.map(\.description).contains("Rename Guest.name to fullName"))
            }
        }

        @Test func `what a migration may discard`() async throws {
            try await Village.withFile { url in
                try await makeFirst(url)
                let stack = try Stack(Second.Guest.self)
                try stack.addDatabaseStore(fileURL: url, discarding: [.entity("Room"), .property("Guest", "rank")])
                try stack.close()
            }
        }

        @Test func `the way back`() async throws {
            try await Village.withFile { url in
                try await makeFirst(url)
                let second = try Stack(Second.Guest.self)
                try second.addDatabaseStore(fileURL: url)
                try second.close()
                let stack = try Stack(First.Guest.self)
                #expect(throws: MigrationError.self) { try stack.addDatabaseStore(fileURL: url) }
                try stack.addDatabaseStore(fileURL: url, discarding: .laterVersions)
                // The renaming identifier leads back, too.
                let World = try MainContext(stack: stack)
                #expect(try World.fetch(First.Guest.self).name == "Monk")
                try stack.close()
            }
        }

        @Test func `a stack takes earlier models`() throws {
            let firstModel = try ManagedObjectModel(classes: [First.Guest.self])
            let secondModel = try ManagedObjectModel(classes: [Second.Guest.self])
            let model = try ManagedObjectModel(classes: [Third.Guest.self])
            let stack = Stack(model: model, earlierModels: [firstModel, secondModel])
            try stack.addInMemoryStore()
        }
    }
#endif
