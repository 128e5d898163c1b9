/// **Value.** A description of a relationship: its destination, its cardinality, and its inverse.
///
/// ```swift
/// RelationshipDescription("friend", to: "Person", inverse: "friends")
/// RelationshipDescription("friends", to: "Person", isToMany: true)
/// ```
/// It is enough to name the inverse on one side: the model finds the other one.
public struct RelationshipDescription: Sendable, Hashable {
    /// The relationship's name, unique in the entity and its superentities, ignoring case.
    public var name: String
    /// The entity of the destinations, which may also be of its sub-entities.
    public var destinationEntityName: String
    /// The relationship of the destination that mirrors this one, or `nil` if the other side names it or there is none.
    public var inverseName: String?
    /// A Boolean value indicating whether the relationship keeps the order of its objects. As in Core Data, it is ignored
    /// for a to-one.
    public var isOrdered: Bool
    /// A Boolean value indicating whether the relationship may be empty when it is saved.
    public var isOptional: Bool
    /// A Boolean value indicating whether the relationship exists only in memory and not in the store.
    public var isTransient: Bool
    /// A Boolean value indicating whether the store keeps an index for the relationship. Stores index every to-one
    /// regardless; the value is kept because model files contain it.
    public var isIndexed: Bool
    /// The minimum number of objects unless the relationship is empty.
    public var minCount: Int
    /// The maximum number of objects. 1 makes the relationship a to-one. 0 means no bound, and so does -1, the value of
    /// `.max` in stored models.
    public var maxCount: Int
    /// The effect of deleting the object on the destinations.
    public var deleteRule: DeleteRule
    /// The relationship's name in an earlier version of the model, for migration.
    public var renamingIdentifier: String?
    /// A text that changes the version hash when nothing else has changed.
    public var versionHashModifier: String?
    /// The author's notes on the relationship.
    public var userInfo: [String: String]

    /// Creates a description of a relationship, which is a to-one by default.
    ///
    /// Without a `maxCount`, a to-many has no bound and a to-one has 1. A given `maxCount` takes precedence: 1 makes a
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

    /// A Boolean value indicating whether the relationship leads to a collection of objects.
    public var isToMany: Bool { maxCount != 1 }
}
