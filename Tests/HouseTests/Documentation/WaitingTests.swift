#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite struct WaitingTests {
        @Test @MainActor func `the article's snippets run`() async throws {
            let stack = try Stack(Person.self)
            try stack.addInMemoryStore()
            let World = try MainContext(stack: stack)
            try Self.create(World)
            #expect(try World.count(Person.self) == 1)
        }

        @MainActor private static func create(_ World: MainContext) throws {
            do {
                try World.beginUpdateAndWait(deadline: .seconds(2)) { update in
                    try update.create(Person.self).name = "Monk"
                    try update.commit()
                }
            } catch let error as UpdateError {
                print(error.code, error.waiter?.description ?? "", error.holder?.description ?? "")
            }
        }

        @Test func `the stores' snippet runs`() async throws {
            let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
            let stack = try Stack(Person.self)
            try await stack.addStore(.database(fileURL: url, resetOnFailure: true))
            try await stack.closeStores()
            try FileManager.default.removeItem(at: url)
        }
    }
#endif
