/// **Value.** A description of an entity: a kind of object, with its properties.
///
/// ```swift
/// EntityDescription("Person") {
///     AttributeDescription("name", .string, isOptional: false, defaultValue: .string(""))
///     RelationshipDescription("friend", to: "Person", inverse: "friends")
///     RelationshipDescription("friends", to: "Person", isToMany: true)
/// }
/// ```
/// A description contains what its author wrote and may be invalid. `ManagedObjectModel` validates all descriptions
/// together and provides each as a resolved `Entity`.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name, unique in the model.
    public var name: String
    /// The name of the class of the entity's objects as a model file spells it, or `nil` for plain managed objects.
    public var managedObjectClassName: String?
    /// The name of the entity whose properties this one inherits.
    public var superentityName: String?
    /// A Boolean value indicating whether the entity has no objects of its own, only objects of its sub-entities.
    public var isAbstract: Bool
    /// The properties declared here, without inherited ones, in declaration order.
    public var properties: [PropertyDescription]
    /// Groups of attributes or to-one relationships whose combination of values must be unique.
    public var uniquenessConstraints: [[String]]
    /// The indexes that the store keeps.
    public var indexes: [FetchIndexDescription]
    /// The entity's name in an earlier version of the model, for migration.
    public var renamingIdentifier: String?
    /// A text that changes the version hash when nothing else has changed.
    public var versionHashModifier: String?
    /// The author's notes on the entity.
    public var userInfo: [String: String]
    /// The part of the entity's class that tools make from the model.
    public var codeGeneration = CodeGeneration.manual

    private var objectClass: ObjectClass?

    /// Creates a description of an entity, with its properties in a list.
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

    /// The class of the entity's objects, or `nil` for plain managed objects.
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
    /// A class that is compared by identity. Metatypes are not Hashable; this wrapper lets the compiler synthesize the
    /// description's conformance.
    private struct ObjectClass: Sendable, Hashable {
        let type: ManagedObject.Type

        static func == (left: ObjectClass, right: ObjectClass) -> Bool { left.type == right.type }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
    }
}
