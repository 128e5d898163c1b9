public import Foundation

/// **Value.** Everything that an ``AtomicStore`` keeps: its objects and its metadata.
public struct AtomicContents: Sendable, Hashable {
    /// The identity of the store, which is part of its objects' URIs. Return the one that was saved.
    public var identifier: UUID
    /// The hashes of the entities of the model that the contents were saved with, by entity name; `nil` if they are unknown.
    /// Contents with other hashes than the model's are refused.
    public var versionHashes: [String: Data]?
    /// The application's metadata: values that a property list can contain.
    public var metadata: [String: ManagedValue]
    /// The highest id ever given to an object. Ids are not used again.
    public var lastID: Int64
    /// The objects in the order of their ids.
    public var objects: [AtomicObject]

    /// Creates contents.
    ///
    /// - Parameter lastID: The highest id ever given to an object. The highest one of the objects counts if it is above.
    public init(
        identifier: UUID = UUID(), versionHashes: [String: Data]? = nil, metadata: [String: ManagedValue] = [:],
        lastID: Int64 = 0, objects: [AtomicObject] = []
    ) {
        self.identifier = identifier
        self.versionHashes = versionHashes
        self.metadata = metadata
        self.lastID = lastID
        self.objects = objects
    }
}
