import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import Foundation
import Testing

/// **Value.** A store that Apple's Core Data wrote, read with the `sqlite3` command, and the model beside it.
struct AppleStore: Sendable, CustomTestStringConvertible {
    /// The path below the folder of the stores, such as `Moody/Moody.sqlite`.
    let path: String

    var testDescription: String { path }

    static let all = Fixtures.stores.map(AppleStore.init)

    enum Failure: Error {
        case sqlite3(status: Int32)
    }

    /// The stores with a model file beside them.
    static let withModelFile = all.filter { Fixtures.modelFile(besideStore: $0.path) != nil }

    /// The model that the store was made with: by the model file beside it, else the one inside.
    func model() throws -> ManagedObjectModel {
        guard let file = Fixtures.modelFile(besideStore: path) else {
            return try ManagedObjectModel(ModelCache.read(modelCache()).contents)
        }
        return try ManagedObjectModel.load(contentsOf: file)
    }

    /// What a query gives, one value a row, from a copy: opening a store in place would checkpoint its log.
    func values(_ sql: String) throws -> [String] {
        let store = try Fixtures.store(path)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system empties its folder anyway.
        let copy = folder.appending(path: "store.sqlite")
        try FileManager.default.copyItem(at: store, to: copy)
        let log = URL(filePath: store.path + "-wal")
        if FileManager.default.fileExists(atPath: log.path) {
            try FileManager.default.copyItem(at: log, to: URL(filePath: copy.path + "-wal"))
        }
        return try Self.sqlite3(copy.path, sql)
    }

    /// What the `sqlite3` command prints, by line.
    static func sqlite3(_ database: String, _ sql: String) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", database, sql]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.sqlite3(status: process.terminationStatus) }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The bytes of the property list in `Z_METADATA`.
    func propertyList() throws -> Data { try bytes("SELECT hex(Z_PLIST) FROM Z_METADATA") }

    /// The bytes of the model in `Z_MODELCACHE`.
    func modelCache() throws -> Data { try bytes("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE") }

    private func bytes(_ sql: String) throws -> Data {
        let digits = Array(try values(sql).joined().utf8)
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap { place in
                UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
            })
    }

    /// The property list in `Z_METADATA`, as Foundation reads it.
    func metadata() throws -> [String: Any] {
        try PropertyListSerialization.propertyList(from: propertyList(), format: nil) as? [String: Any] ?? [:]
    }

    /// The statements of `sqlite_master` of a type, white space and quotes made alike.
    func statements(ofType type: String) throws -> [String] {
        try values(
            "SELECT replace(sql, char(10), ' ') FROM sqlite_master WHERE type = '\(type)' AND sql NOT NULL ORDER BY rowid"
        ).map(Self.normalized)
    }

    static func normalized(_ sql: String) -> String {
        sql.replacing("\"", with: "").split(separator: " ").joined(separator: " ").replacing(" )", with: ")")
    }
}
