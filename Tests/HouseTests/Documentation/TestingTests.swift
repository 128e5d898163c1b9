#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    func greeting(_ person: Person) -> String {
        guard let friend = person.friend else { return person.name }
        return "\(person.name), friend of \(friend.name)"
    }

    @Suite @MainActor struct TestingTests {
        @Test func `a stack for each test`() async throws {
            let World = try MainContext(stack: .inMemory(Person.self))
            try await World.update { update in
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
            #expect(try World.fetch(Person.self).name == "Monk")
        }

        @Test func `code over objects`() throws {
            let objects = try TestObjects(Person.self)
            let farmer = try objects.create(Person.self) { $0.name = "Farmer" }
            let monk = try objects.create(Person.self) {
                $0.name = "Monk"
                $0.friend = farmer
            }
            #expect(greeting(monk) == "Monk, friend of Farmer")
            #expect(farmer.friends == [monk])
        }

        @Test func `lists and values`() async throws {
            let World = try MainContext(stack: .inMemory(Person.self))
            let people = try World.fetchedResults(Person.self, orderBy: .ascending(\.name))
            try await World.update { update in
                for number in 0..<1_000 { try update.create(Person.self).name = "Monk \(number)" }
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
            #expect(people.count == 1_000)
            var counts = World.observeValue { try $0.count(Person.self) }.makeAsyncIterator()
            #expect(try await counts.next() == 1_000)
        }

        @Test func `statements are counted`() async throws {
            try await withTemporaryStore { url in
                let recorder = StatementRecorder()
                let stack = try Stack(Person.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: url)
                let context = try Context(stack: stack)

                try await context.update { update in
                    for _ in 0..<100 {
                        let person = try update.create(Person.self)
                        person.friend = try update.create(Person.self)
                    }
                    try update.commit()
                }
                let statements = try await recorder.recording {
                    try await context.read { reader in
                        for person in try reader.fetchAll(Person.self) { _ = person.friend?.name }
                    }
                }
                #expect(statements.count { $0.kind == .select } <= 2)
                try stack.close()
            }
        }

        @Test func `files are temporary`() async throws {
            try await withTemporaryStore { url in
                let stack = try Stack(Person.self)
                try stack.addDatabaseStore(fileURL: url, tracksHistory: true)
                #expect(try stack.history().isEmpty)
                try stack.close()
            }
            try await Village.withFile { fixture in
                try await addMonk(to: fixture)
                try await withTemporaryStore(copying: fixture) { url in
                    let stack = try Stack(Person.self)
                    try stack.addDatabaseStore(fileURL: url)
                    #expect(try MainContext(stack: stack).count(Person.self) == 1)
                    try stack.close()
                }
            }
        }

        @Test func `a full disk`() async throws {
            try await withTemporaryStore { url in
                let disk = try FaultyDisk(folder: url.deletingLastPathComponent())
                let stack = try Stack(Person.self)
                try stack.addDatabaseStore(fileURL: url)
                let context = try Context(stack: stack)

                disk.fail(FaultPlan(.diskFull, times: .max))
                await #expect(throws: StoreError.self) {
                    try await context.update { update in
                        try update.create(Person.self).name = "Monk"
                        try update.commit()
                    }
                }
                disk.heal()
                #expect(try await context.read { try $0.count(Person.self) } == 0)
                try stack.close()
            }
        }

        @Test func `a conflict`() async throws {
            let World = try await Village().world
            let id = try World.fetch(Person.self, %"name" == "Monk").objectID
            let first = try Context(stack: World.stack).beginUpdateContext()
            try await first.perform { update in try update.use(id).age += 1 }

            try await World.update { update in
                try update.use(id).age = 50
                try update.commit()
            }
            await #expect(throws: SaveError.self) { try await first.perform { try $0.commit() } }
            try await first.perform { $0.rollback() }
        }
    }
#endif
