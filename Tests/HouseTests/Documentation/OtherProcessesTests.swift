#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite struct OtherProcessesTests {
        @Test @MainActor func `the snippet on other processes runs`() async throws {
            let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
            let (stack, stranger) = (try Stack(Person.self), try Stack(Person.self))
            try stack.addDatabaseStore(fileURL: url)
            try stranger.addDatabaseStore(fileURL: url)
            let World = try MainContext(stack: stack)
            let (calls, call) = AsyncStream.makeStream(of: Void.self)
            func reload() { call.yield() }
            let following = Task { @MainActor in
                for await commit in World.commits where commit.isEverything {
                    reload()  // anything may have changed
                }
            }
            // It follows now.
            await Task { @MainActor in }.value
            try await Context(stack: stranger).update { update in
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
            #expect(try World.count(Person.self) == 1)
            for await _ in calls { break }
            following.cancel()
            try FileManager.default.removeItem(at: url)
        }
    }
#endif
