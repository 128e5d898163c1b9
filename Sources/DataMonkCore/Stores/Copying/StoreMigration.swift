public import Foundation

/// **Value.** A store whose objects were copied into a new one; see `Stack.migrateStore(_:to:)`.
///
/// ```swift
/// let migration = try await stack.migrateStore(.database(fileURL: old), to: .binary(fileURL: new))
/// let uri = migration.uri(for: bookmarkedURI)
/// ```
public struct StoreMigration: Sendable, Hashable {
    /// The number of objects that were copied.
    public let objectCount: Int
    /// The identifier of the store that was copied.
    public let sourceIdentifier: UUID
    /// The identifier of the new store.
    public let identifier: UUID

    /// The difference between the new and the old keys, by the name of the entity.
    private let offsets: [String: Int64]

    package init(objectCount: Int, sourceIdentifier: UUID, identifier: UUID, offsets: [String: Int64]) {
        self.offsets = offsets
        self.objectCount = objectCount
        self.sourceIdentifier = sourceIdentifier
        self.identifier = identifier
    }

    /// Returns the URI in the new store for an object's URI in the old one, or `nil` if it is not a URI of the old store.
    public func uri(for uri: URL) -> URL? {
        let parts = uri.path.split(separator: "/").map(String.init)
        guard uri.scheme == "x-coredata", uri.host.flatMap(UUID.init(uuidString:)) == sourceIdentifier,
            parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()),
            let offset = offsets[parts[0]]
        else { return nil }
        return URL(string: "x-coredata://\(identifier.uuidString)/\(parts[0])/p\(key &+ offset)")
    }
}
