import Foundation
import Testing

/// **Confined.** A repository of somebody else's on this machine, a manifest that names its files, and a folder that
/// `Tests/Fixtures/fetch` fills. All are removed with it.
final class FetchStage {
    /// **Value.** The end of a run of the script.
    struct Outcome {
        let status: Int32
        let output: String
    }

    /// The bytes of the repository's file, and their SHA-256.
    static let contents = "store"
    static let hash = "824d80d71985f082a26997a8db88b5d1dd45b777d73585d03d236303e21bde97"

    let folder: URL
    let fixtures: URL
    private let manifest: URL
    /// The commit that the manifest names unless told otherwise.
    let commit: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "datamonk-fetch-\(UUID().uuidString)")
        fixtures = folder.appending(path: "fixtures")
        manifest = folder.appending(path: "manifest.tsv")
        let repository = folder.appending(path: "repository")
        try FileManager.default.createDirectory(
            at: repository.appending(path: "a folder"), withIntermediateDirectories: true)
        try Data(Self.contents.utf8).write(to: repository.appending(path: "a folder/a.sqlite"))
        let git = ["-C", repository.path, "-c", "user.name=A", "-c", "user.email=a@example.org"]
        for arguments in [["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "Add a store"]] {
            let outcome = try Self.run("git", git + arguments)
            try #require(outcome.status == 0, "\(outcome.output)")
        }
        commit = try Self.run("git", git + ["rev-parse", "HEAD"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        // Reason for try?: what cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    /// A line of a manifest: the repository's file, or what differs from it.
    func line(
        _ path: String = "stores/a.sqlite", hash: String = FetchStage.hash, origin: String = "copy",
        repository: String? = nil, commit: String? = nil, source: String = "a folder/a.sqlite"
    ) -> String {
        let place = repository ?? "file://\(folder.path)/repository"
        let columns = [path, "\(Self.contents.utf8.count)", hash, origin, "MIT", place, commit ?? self.commit, source]
        return columns.joined(separator: "\t")
    }

    /// Runs the script with a manifest of some lines.
    ///
    /// - Parameter tools: A folder whose programs the script finds first.
    func fetch(_ lines: [String], _ arguments: [String] = [], tools: URL? = nil) throws -> Outcome {
        try Data((["# path"] + lines).map { $0 + "\n" }.joined().utf8).write(to: manifest)
        let script = URL(filePath: #filePath).appending(path: "../../../Fixtures/fetch").standardized
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try Self.run(
            script.path, ["--manifest", manifest.path] + arguments,
            ["DATAMONK_FIXTURES": fixtures.path, "PATH": (tools.map { $0.path + ":" } ?? "") + path])
    }

    /// Puts a program for the script's eyes into a folder.
    func tool(_ name: String, _ text: String) throws -> URL {
        let tools = folder.appending(path: "tools")
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
        let file = tools.appending(path: name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return tools
    }

    /// The files in the fixtures' folder and below it, sorted.
    func files() throws -> [String] {
        guard let paths = FileManager.default.enumerator(atPath: fixtures.path) else { return [] }
        return paths.compactMap { $0 as? String }.filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: fixtures.appending(path: path).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }

    /// Runs a program to its end; its output and its errors are one text.
    static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }
}
