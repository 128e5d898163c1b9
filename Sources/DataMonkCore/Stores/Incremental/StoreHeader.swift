public import Foundation

/// **Value.** The facts about an ``IncrementalStore`` beside its objects.
public struct StoreHeader: Sendable, Hashable {
    /// The identity of the store, which is part of its objects' URIs. Return the one that was saved.
    public var identifier: UUID
    /// The hashes of the entities of the model that the store was saved with, by entity name; `nil` if they are unknown.
    /// A store with other hashes than the model's is refused.
    public var versionHashes: [String: Data]?
    /// The application's metadata: values that a property list can contain.
    public var metadata: [String: ManagedValue]
    /// The highest id ever given to an object. Ids are not used again. Return the one that was saved.
    public var lastID: Int64

    /// Creates a header.
    public init(
        identifier: UUID = UUID(), versionHashes: [String: Data]? = nil, metadata: [String: ManagedValue] = [:],
        lastID: Int64 = 0
    ) {
        self.identifier = identifier
        self.versionHashes = versionHashes
        self.metadata = metadata
        self.lastID = lastID
    }
}

/// **Value.** The changes of one commit to an ``IncrementalStore``.
///
///     for object in changes.inserted { objects[object.id] = object }
///     for object in changes.updated { objects[object.id]?.update(from: object) }
///     for id in changes.deletedIDs { objects[id] = nil }
///     header = changes.header
public struct IncrementalChanges: Sendable, Hashable {
    /// The header from now on.
    public let header: StoreHeader
    /// The new objects, whose ids are above all earlier ones.
    public let inserted: [AtomicObject]
    /// The objects with other values or destinations, in the order of their ids: all values, and the destinations of every to-one
    /// and of to-manys that have changed, where an empty list stands for none. A relationship that is not named is as it was.
    /// See ``AtomicObject/update(from:)``.
    public let updated: [AtomicObject]
    /// The ids of deleted objects. Other objects may still refer to them, where a delete rule says so.
    public let deletedIDs: [Int64]
}

extension AtomicObject {
    /// Takes over the values, the version, and the destinations of the relationships that another state of the object names.
    ///
    /// See ``IncrementalChanges/updated``.
    public mutating func update(from other: AtomicObject) {
        version = other.version
        values = other.values
        destinations.merge(other.destinations) { _, new in new }
        destinations = destinations.filter { !$0.value.isEmpty }
    }
}
