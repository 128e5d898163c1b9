public import Foundation

/// **Value.** What an example says of itself, and checks.
public enum Expect {
    /// Prints what holds; throws if it does not, so that the program's exit status says it.
    public static func that(_ holds: Bool, _ text: String) throws {
        guard holds else { throw Failure(description: "This does not hold: \(text)") }
        print("-> \(text)")
    }

    /// A folder of its own for the store.
    public static func emptyFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk example \(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// **Value.** Something that was said and does not hold.
    public struct Failure: Error, CustomStringConvertible {
        /// What it was.
        public let description: String
    }
}
