import DataMonk
import DataMonkFixtures
import Foundation

/// A copy of a store that Apple's Core Data wrote, with its log: opening the store in place would change it.
struct StoreCopy {
    private static let unitSeparator = "\u{1F}"
    private static let recordSeparator = "\u{1E}"

    /// The stores, by their paths below the folder.
    static let paths = Fixtures.stores

    enum Failure: Error {
        case sqlite3(status: Int32, sql: String)
    }

    let url: URL
    private let path: String
    private let folder: TemporaryFolder

    init(of path: String) throws {
        let original = try Fixtures.store(path)
        self.path = path
        folder = try TemporaryFolder()
        url = folder.file(original.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
        }
    }

    /// Another copy of the same store.
    func again() throws -> StoreCopy { try StoreCopy(of: path) }

    /// The model that the store was made with, without classes.
    func model() throws -> ManagedObjectModel {
        guard let file = Fixtures.modelFile(besideStore: path) else {
            return try ManagedObjectModel.load(fromStoreAt: url)
        }
        return try ManagedObjectModel.load(contentsOf: file)
    }

    /// A stack over the copy.
    func openStack() throws -> Stack {
        let stack = Stack(model: try model())
        try stack.addDatabaseStore(fileURL: url)
        return stack
    }

    /// What the `sqlite3` command answers.
    func rows(_ sql: String) throws -> [[String]] { try Self.rows(url, sql) }

    static func rows(_ url: URL, _ sql: String) throws -> [[String]] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "sqlite3", "-separator", unitSeparator, "-newline", recordSeparator, url.path, sql,
        ]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.sqlite3(status: process.terminationStatus, sql: sql)
        }
        return String(decoding: data, as: UTF8.self).split(separator: recordSeparator).map { row in
            row.split(separator: unitSeparator, omittingEmptySubsequences: false).map(String.init)
        }
    }
}
