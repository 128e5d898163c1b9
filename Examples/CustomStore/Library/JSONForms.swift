import DataMonk
import Foundation

extension JSONFolder {
    /// **Value.** What a store knows beside its objects.
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

    static func write(_ value: some Encodable, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(value).write(to: file)
    }
}
