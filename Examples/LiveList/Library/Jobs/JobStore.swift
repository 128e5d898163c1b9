public import DataMonk
import Foundation

/// **Value.** The file with the jobs.
public enum JobStore {
    /// Runs a program over a file that was named, or over one that goes with the program.
    ///
    /// - Throws: The errors of opening a store; those of the body.
    public static func open<Result: Sendable>(_ path: String?, _ body: (Stack) async throws -> Result) async throws
        -> Result
    {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "Jobs \(UUID())")
        if path == nil { try files.createDirectory(at: folder, withIntermediateDirectories: true) }
        defer {
            // Left for the system to remove, if it cannot be.
            if path == nil { try? files.removeItem(at: folder) }
        }
        let stack = try Stack(Job.self)
        let url = path.map { URL(filePath: $0) } ?? folder.appending(path: "Jobs.sqlite")
        try await stack.addStore(.database(fileURL: url))
        let result = try await body(stack)
        try await stack.closeStores()
        return result
    }
}
