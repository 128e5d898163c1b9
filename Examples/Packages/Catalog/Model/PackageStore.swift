import DataMonk
import Foundation

/// **Shared.** The directory with the store, and the context that everything goes through.
struct PackageStore: Sendable {
    let file: URL
    let stack: Stack
    let context: Context

    /// Opens the store in a directory, and makes both if they are not there.
    init(directory: URL?) throws {
        let directory = try directory ?? Self.defaultDirectory()
        file = directory.appending(path: "packages.sqlite")
        stack = try Stack(Package.self)
        try stack.addDatabaseStore(fileURL: file)
        context = try Context(stack: stack)
    }

    /// Where applications keep what is theirs: `~/.local/share` on Linux.
    private static func defaultDirectory() throws -> URL {
        try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
        ).appending(path: "DataMonk Packages")
    }
}
