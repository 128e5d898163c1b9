/// **Value.** One entity of a model: a kind of object, with its properties.
///
/// ```swift
/// EntityDescription("Person") {
///     AttributeDescription("name", .string, isOptional: false, defaultValue: .string(""))
///     RelationshipDescription("friend", to: "Person", inverse: "friends")
///     RelationshipDescription("friends", to: "Person", isToMany: true)
/// }
/// ```
/// A description says what its author wrote and may be wrong; `ManagedObjectModel` checks all of them together and
/// offers each as a resolved `Entity`.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name, unique in the model.
    public var name: String
    /// The name of the class of its objects as a model file spells it, nil for plain managed objects.
    public var managedObjectClassName: String?
    /// The entity whose properties this one inherits.
    public var superentityName: String?
    /// Whether no object is of this very entity, only of its sub-entities.
    public var isAbstract: Bool
    /// The properties declared here, inherited ones not repeated, in declaration order.
    public var properties: [PropertyDescription]
    /// Groups of attributes or to-one relationships whose values together no two objects may share.
    public var uniquenessConstraints: [[String]]
    /// The indexes that the store keeps.
    public var indexes: [FetchIndexDescription]
    /// The name the entity had in an earlier version of the model, for migration.
    public var renamingIdentifier: String?
    /// Text that changes the version hash although nothing else changed.
    public var versionHashModifier: String?
    /// What the model's author noted about the entity.
    public var userInfo: [String: String]

    private var objectClass: ObjectClass?

    /// Describes an entity by a list of its properties.
    public init(
        _ name: String, managedObjectClass: ManagedObject.Type? = nil, managedObjectClassName: String? = nil,
        superentityName: String? = nil, isAbstract: Bool = false, properties: [PropertyDescription],
        uniquenessConstraints: [[String]] = [], indexes: [FetchIndexDescription] = [],
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.objectClass = managedObjectClass.map(ObjectClass.init)
        self.managedObjectClassName = managedObjectClassName
        self.superentityName = superentityName
        self.isAbstract = isAbstract
        self.properties = properties
        self.uniquenessConstraints = uniquenessConstraints
        self.indexes = indexes
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }

    /// The class of the entity's objects, nil for plain managed objects.
    public var managedObjectClass: ManagedObject.Type? {
        get { objectClass?.type }
        set { objectClass = newValue.map(ObjectClass.init) }
    }

    /// The attributes declared here, in declaration order.
    public var attributes: [AttributeDescription] {
        properties.compactMap { property in
            if case .attribute(let attribute) = property { attribute } else { nil }
        }
    }

    /// The relationships declared here, in declaration order.
    public var relationships: [RelationshipDescription] {
        properties.compactMap { property in
            if case .relationship(let relationship) = property { relationship } else { nil }
        }
    }

    /// The fetched properties declared here, in declaration order.
    public var fetchedProperties: [FetchedPropertyDescription] {
        properties.compactMap { property in
            if case .fetched(let fetched) = property { fetched } else { nil }
        }
    }
}

extension EntityDescription {
    /// A class with identity as its equality: metatypes have none, and without it the description could not be hashed
    /// by the compiler.
    private struct ObjectClass: Sendable, Hashable {
        let type: ManagedObject.Type

        static func == (left: ObjectClass, right: ObjectClass) -> Bool { left.type == right.type }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
    }
}
