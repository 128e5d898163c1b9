import DataMonk
import Foundation

extension JSONFolder {
    /// **Value.** The facts that a store keeps beside its objects.
    struct Info: Codable, Sendable {
        let identifier: UUID
        let versionHashes: [String: Data]?
        let metadata: [String: JSONValue]
        let lastID: Int64

        init(_ header: StoreHeader) {
            identifier = header.identifier
            versionHashes = header.versionHashes
            metadata = header.metadata.mapValues(JSONValue.init)
            lastID = header.lastID
        }
    }

    /// **Value.** An object, whose entity stands elsewhere.
    struct Object: Codable, Sendable {
        let id: Int64
        let version: Int64
        let values: [String: JSONValue]
        let destinations: [String: [Int64]]

        init(_ object: AtomicObject) {
            id = object.id
            version = object.version
            values = object.values.mapValues(JSONValue.init)
            destinations = object.destinations
        }

        func object(of entityName: String) -> AtomicObject {
            AtomicObject(
                entityName: entityName, id: id, version: version, values: values.mapValues(\.value),
                destinations: destinations)
        }
    }

    static func read<Value: Decodable>(_ type: Value.Type, from file: URL) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }

    /// Writes a file and syncs it.
    static func write(_ value: some Encodable, to file: URL) throws { try write(data(of: value), to: file) }

    /// Writes a file and syncs it.
    static func write(_ bytes: Data, to file: URL) throws {
        try bytes.write(to: file)
        try synchronize(file)
    }

    static func data(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(value)
    }

    /// Returns the name in the file `current`, or `nil` if there is none.
    static func currentName(in folder: URL) throws -> String? {
        let current = folder.appending(path: "current")
        guard FileManager.default.fileExists(atPath: current.path) else { return nil }
        return String(decoding: try Data(contentsOf: current), as: UTF8.self)
    }

    /// Replaces the name in the file `current` in one step, which a power cut does not undo. If that cannot be made sure, the
    /// former name is put back.
    static func setCurrentName(_ name: String, in folder: URL) throws {
        let former = try currentName(in: folder)
        let current = folder.appending(path: "current")
        // The folder that the name leads to.
        try synchronize(folder)
        do {
            try Data(name.utf8).write(to: current, options: .atomic)
            try synchronize(current)
            try synchronize(folder)
        } catch {
            if let former {
                // Reason for try?: the first error is the one that tells the cause.
                try? Data(former.utf8).write(to: current, options: .atomic)
            } else {
                // Reason for try?: as above.
                try? FileManager.default.removeItem(at: current)
            }
            throw error
        }
    }

    /// Waits until a file, or the names in a folder, are on disk.
    static func synchronize(_ url: URL) throws { try synchronizeFile(at: url.path) }
}

/// Outside of the type, whose `close` is another one.
private func synchronizeFile(at path: String) throws {
    func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure() }
}
