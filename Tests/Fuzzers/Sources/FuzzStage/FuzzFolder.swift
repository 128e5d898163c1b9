public import Foundation

/// **Value.** The folder of a fuzzer's files. They are written anew in each run.
public struct FuzzFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes a folder of this process, in memory where the system can do that.
    public init(_ name: String) {
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let parent = isThere ? memory : FileManager.default.temporaryDirectory
        url = parent.appending(path: "datamonk-fuzz-\(name)-\(ProcessInfo.processInfo.processIdentifier)")
    }

    /// Removes all files, and writes one at a path below the folder.
    ///
    /// - Returns: The file.
    public func write(_ data: Data, to path: String) throws -> URL {
        // Reason for try?: the first run has none.
        try? FileManager.default.removeItem(at: url)
        return try add(data, at: path)
    }

    /// Writes a file at a path below the folder.
    ///
    /// - Returns: The file.
    @discardableResult
    public func add(_ data: Data, at path: String) throws -> URL {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }
}
