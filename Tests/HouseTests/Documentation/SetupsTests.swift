#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct SetupsTests {
        private func count(in World: MainContext) async throws -> Int {
            try await World.update { update in
                _ = try update.create(Person.self)
                try update.commit()
            }
            return try World.count(Person.self)
        }

        @Test func `three tiers`() async throws {
            try await Village.withFile { url in
                let stack = try Stack(Person.self)
                try stack.addDatabaseStore(fileURL: url)
                let World = try MainContext(stack: stack)
                #expect(try await count(in: World) == 1)
                try stack.close()
            }
        }

        @Test func `two tiers`() async throws {
            let stack = try await Village().stack
            let World = try MainContext(stack: stack, updateTarget: .rootContext(autoMerge: true))
            #expect(try await count(in: World) == 5)
        }

        @Test func `serial order`() async throws {
            let stack = try await Village().stack
            let World = try MainContext(stack: stack, updateOrder: .serial)
            #expect(try await count(in: World) == 5)
        }

        @Test func `a main context for each screen`() async throws {
            try await Village.withFile { url in
                let stack = try Stack(Person.self, rootContext: .none)
                try stack.addDatabaseStore(fileURL: url)
                let Updater = try Context(stack: stack)

                let screen = try MainContext(stack: stack, updateTarget: .persistentStore)
                let observer = Updater.observeCommit {
                    screen.reset()
                }

                try await Updater.update { update in
                    _ = try update.create(Person.self)
                    try update.commit()
                }
                let count = try await Updater.read { reader in
                    try reader.count(Person.self)
                }
                #expect(count == 1)
                observer.cancel()
                try stack.close()
            }
        }

        @Test func `a root context`() async throws {
            let stack = try await Village().stack
            let root = stack.rootContext
            let observer = root?.observeCommits { reader, commit in
                for person in try reader.fetch(Person.self, commit.inserted) {
                    print(person.name)
                }
            }
            observer?.cancel()
        }

        @Test func `commits as a sequence`() async throws {
            let Updater = try await Context(stack: Village().stack)
            let commits = Updater.commits
            try await Updater.update { update in
                _ = try update.create(Person.self)
                try update.commit()
            }
            for await commit in commits {
                print(commit.inserted.count)
                break
            }
        }

        @Test func `a store for each configuration`() async throws {
            try await Village.withFile { url in
                let model = try ManagedObjectModel(
                    classes: [Person.self, Visit.self], configurations: ["Kept": ["Person"], "Passing": ["Visit"]])
                let stack = Stack(model: model)
                try stack.addDatabaseStore(fileURL: url, configuration: "Kept")
                try stack.addInMemoryStore(configuration: "Passing")
                #expect(try await count(in: MainContext(stack: stack)) == 1)
                try stack.close()
            }
        }
    }
#endif
