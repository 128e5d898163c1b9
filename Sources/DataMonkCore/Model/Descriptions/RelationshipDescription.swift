/// **Value.** One relationship of an entity: where it leads, how many it leads to, and what the other side is called.
///
/// ```swift
/// RelationshipDescription("friend", to: "Person", inverse: "friends")
/// RelationshipDescription("friends", to: "Person", isToMany: true)
/// ```
/// It is enough to name the inverse on one side: the model finds the other one.
public struct RelationshipDescription: Sendable, Hashable {
    /// The relationship's name: unique in the entity, its superentities included, without regard to case.
    public var name: String
    /// The entity of the objects at the other end; its sub-entities are welcome too.
    public var destinationEntityName: String
    /// The relationship of the destination that is kept equal to this one, nil when the other side names it or when
    /// there is none.
    public var inverseName: String?
    /// A Boolean value indicating whether the relationship keeps the order of its objects. Ignored for a to-one, as by Core
    /// Data.
    public var isOrdered: Bool
    /// Whether the relationship may be empty when it is saved.
    public var isOptional: Bool
    /// Whether the relationship lives in memory only and has no place in the store.
    public var isTransient: Bool
    /// Whether the store keeps an index for it. Stores index every to-one anyway; kept as model files say it.
    public var isIndexed: Bool
    /// The smallest number of objects when it is not empty.
    public var minCount: Int
    /// The largest number of objects. 1 makes the relationship a to-one; 0, and the -1 that `.max` becomes in stored models,
    /// mean no bound.
    public var maxCount: Int
    /// What happens to the destinations when the object is deleted.
    public var deleteRule: DeleteRule
    /// The name the relationship had in an earlier version of the model, for migration.
    public var renamingIdentifier: String?
    /// Text that changes the version hash although nothing else changed.
    public var versionHashModifier: String?
    /// What the model's author noted about the relationship.
    public var userInfo: [String: String]

    /// Describes a relationship, a to-one unless said otherwise.
    ///
    /// Without a `maxCount` a to-many has no bound and a to-one has 1. A `maxCount` that is given decides: 1 makes a
    /// to-one, as in Core Data.
    public init(
        _ name: String, to destinationEntityName: String, inverse inverseName: String? = nil, isToMany: Bool = false,
        isOrdered: Bool = false, isOptional: Bool = true, isTransient: Bool = false, isIndexed: Bool = false,
        minCount: Int = 0, maxCount: Int? = nil, deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.isOrdered = isOrdered
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isIndexed = isIndexed
        self.minCount = minCount
        self.maxCount = maxCount ?? (isToMany ? 0 : 1)
        self.deleteRule = deleteRule
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }

    /// Whether the relationship leads to a collection of objects.
    public var isToMany: Bool { maxCount != 1 }
}
