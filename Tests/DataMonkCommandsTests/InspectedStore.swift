import ArgumentParser
import DataMonkCommands
import DataMonkFixtures
import Foundation
import Testing

/// **Shared.** A store in a folder of its own, looked at by the command and by `sqlite3`.
final class InspectedStore: Sendable {
    let folder: URL
    let url: URL

    /// A place for a store.
    init(named name: String = "store.sqlite") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "datamonk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: name)
    }

    /// A copy of one of Apple's stores, with its log.
    convenience init(copyOf path: String) throws {
        let original = try Fixtures.store(path)
        try self.init(named: original.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
        }
    }

    deinit {
        // Reason for try?: what cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Every file of the folder with its bytes.
    func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    func inspect(_ arguments: String..., width: Int? = nil) throws -> CommandOutcome {
        try InspectCommand.parse([url.path] + arguments).outcome(width: width)
    }

    func doctor(_ arguments: String..., width: Int? = nil) throws -> CommandOutcome {
        try DoctorCommand.parse([url.path] + arguments).outcome(width: width)
    }

    /// What the command prints as JSON.
    func json(_ arguments: [String]) throws -> [String: Any] {
        let outcome = try InspectCommand.parse([url.path, "--json"] + arguments).outcome(width: nil)
        try #require(outcome.error == nil)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    /// The rows of a query, by the `sqlite3` command on a copy: opening the store itself would checkpoint its log.
    func rows(_ sql: String) throws -> [[String: Any]] {
        let copy = try InspectedStore(named: "copy.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.url.path + suffix)
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-json", copy.url.path, sql]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        if data.isEmpty { return [] }
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }
}
