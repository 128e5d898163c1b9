#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// The snippets on the file of a store.
    @Suite struct StoreFileTests {
        @Test func `the article's snippets run`() throws {
            let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
            try Self.write(url)
            try Self.read(url)
            try FileManager.default.removeItem(at: url)
        }

        private static func write(_ url: URL) throws {
            let stack = try Stack(Person.self)
            try stack.addDatabaseStore(fileURL: url, busyTimeout: .seconds(30))
            try stack.close()
        }

        private static func read(_ url: URL) throws {
            let stack = try Stack(Person.self)
            try stack.addDatabaseStore(fileURL: url, readOnly: true)
            try stack.close()
        }
    }
#endif
