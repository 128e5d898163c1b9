import DataMonk
import Foundation

/// **Value.** The store with the accounts: a file, or one on a PostgreSQL server.
enum BankStore {
    /// The reason why a URL is of no use to this program.
    struct MissingTrait: Error, CustomStringConvertible {
        let description = "This program was built without stores on servers. Build it with --traits Postgres."
    }

    /// - Parameter place: The path of a file, or the URL of a server. That may have a password, so it is printed nowhere.
    static func open(_ place: String) async throws -> Stack {
        let stack = try Stack(Account.self, Transfer.self)
        if place.contains("://") {
            #if Postgres
                try await stack.addServerStore(place)
            #else
                throw MissingTrait()
            #endif
        } else {
            try await stack.addStore(.database(fileURL: URL(filePath: place)))
        }
        return stack
    }
}
