#if Macros
    import DataMonk
    import Testing

    @MainActor @Suite struct `Observing a property` {
        private let stack: Stack
        private let World: MainContext

        init() throws {
            stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            World = try MainContext(stack: stack)
        }

        private func makeMonk() async throws -> Person {
            try await World.update { update in
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
            return try World.fetch(Person.self)
        }

        private func setAge(_ age: Int, of id: ObjectID<Person>) async throws {
            try await World.update { update in
                try update.use(id).age = age
                try update.commit()
            }
            World.managedObjectContext.mergeCommits()
        }

        @Test func `tells the old and the new value of what others commit`() async throws {
            let monk = try await makeMonk()
            var told: [[Int]] = []
            let observation = try monk.observe(\.age) { monk, change in
                #expect(monk.age == change.newValue)
                told.append([change.oldValue, change.newValue])
            }
            for age in [3, 3, 4] { try await setAge(age, of: monk.objectID) }
            #expect(told == [[0, 3], [3, 4]])
            observation.cancel()
            try await setAge(9, of: monk.objectID)
            #expect(told.count == 2)
        }

        @Test func `is silent about other values and other objects`() async throws {
            let monk = try await makeMonk()
            var calls = 0
            let observation = try monk.observe(\.location) { _, _ in calls += 1 }
            try await setAge(3, of: monk.objectID)
            _ = try await makeMonk()
            #expect(calls == 0)
            observation.cancel()
        }

        @Test func `tells one change an event, and none that was taken back`() async throws {
            let id = try await makeMonk().objectID
            try await World.update { update in
                let monk = try update.use(id)
                var told: [[Int]] = []
                let observation = try monk.observe(\.age) { told.append([$1.oldValue, $1.newValue]) }
                (monk.age, monk.age) = (5, 6)
                update.managedObjectContext.processPendingChanges()
                monk.age = 7
                monk.age = 6
                update.managedObjectContext.processPendingChanges()
                update.rollback()
                #expect(told == [[0, 6], [6, 0]])
                observation.cancel()
            }
        }

        @Test func `follows a path to a related object`() async throws {
            let monk = try await makeMonk()
            var told: [String?] = []
            let observation = try monk.observe(\.friend?.name) { told.append($1.newValue) }
            let id = monk.objectID
            let friend = try await World.update { update in
                let friend = try update.create(Person.self)
                friend.name = "Farmer"
                try update.use(id).friend = friend
                try update.commit()
                return friend.objectID
            }
            World.managedObjectContext.mergeCommits()
            try await World.update { update in
                try update.use(friend).name = "Knight"
                try update.commit()
            }
            World.managedObjectContext.mergeCommits()
            #expect(told == ["Farmer", "Knight"])
            observation.cancel()
        }

        @Test func `tells nothing of a deletion, and refuses an object that has left`() async throws {
            let monk = try await makeMonk()
            var calls = 0
            let observation = try monk.observe(\.age) { _, _ in calls += 1 }
            let id = monk.objectID
            try await World.update { update in
                try update.delete(id)
                try update.commit()
            }
            World.managedObjectContext.mergeCommits()
            #expect(calls == 0)
            #expect(throws: FetchError.self) { try monk.observe(\.age) { _, _ in } }
            observation.cancel()
        }
    }
#endif
