/// **Value.** An object as an ``AtomicStore`` keeps it.
///
///     AtomicObject(entityName: "Person", id: 102, values: ["name": "Ada"], destinations: ["friends": [103, 104]])
public struct AtomicObject: Sendable, Hashable {
    /// The name of the object's own entity, which is not abstract.
    public var entityName: String
    /// The object's number: unique among all objects of the store, from 1 to 2^46 - 1, and never changed.
    public var id: Int64
    /// The number of saves of the object, from 1. An ``AtomicStore`` that does not keep it returns 1. An ``IncrementalStore``
    /// has to keep it: by it, a commit notices that another one has changed the object meanwhile.
    public var version: Int64
    /// The values by attribute name. An attribute without a value is left out, and so are transient ones.
    public var values: [String: ManagedValue]
    /// The ids of the other objects by relationship name: at most one for a to-one, all in their order for an ordered to-many,
    /// in ascending order for others. An empty relationship is left out. Both sides of a relationship are given.
    public var destinations: [String: [Int64]]

    /// Creates an object.
    public init(
        entityName: String, id: Int64, version: Int64 = 1, values: [String: ManagedValue] = [:],
        destinations: [String: [Int64]] = [:]
    ) {
        self.entityName = entityName
        self.id = id
        self.version = version
        self.values = values
        self.destinations = destinations
    }
}
