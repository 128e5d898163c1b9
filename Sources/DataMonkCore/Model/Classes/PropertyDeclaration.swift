/// **Value.** The declaration of a property by its class, which `@Entity` generates.
public struct PropertyDeclaration: Sendable {
    enum Kind: Sendable {
        case attribute(AttributeDescription)
        /// The destination's name is determined when the model is made, since the destination's declaration may lead back
        /// here.
        case relationship(RelationshipDescription, destination: ManagedObject.Type)
    }

    let kind: Kind
    let isUnique: Bool
    /// Throws the error of the declared type's `init(from:)` for a JSON text that it does not decode; `nil` for an attribute
    /// that is not codable, and for relationships.
    var requireDecodable: (@Sendable (String) throws -> Void)?

    /// The property's name.
    public var name: String {
        switch kind {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship, _): relationship.name
        }
    }

    /// Declares an attribute.
    public static func property<Value: ManagedAttribute>(
        _ name: String, _ type: Value.Type, default: Value? = nil, options: [AttributeOption] = [],
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        let derivation = options.lazy.compactMap(\.derivation).first
        var description = AttributeDescription(
            name, Value.attributeType, isOptional: Value.isOptional, isTransient: options.contains(.transient),
            isIndexed: options.contains(.indexed), hasTextIndex: options.contains(.textSearch),
            // Swift requires an initial value where a derived attribute has none.
            defaultValue: derivation == nil ? `default`?.managedValue ?? .null : .null,
            allowsExternalBinaryDataStorage: options.contains(.externalStorage),
            preservesValueInHistoryOnDeletion: options.contains(.preserveValueOnDeletion),
            derivationExpression: derivation,
            renamingIdentifier: originalName, versionHashModifier: hashModifier, userInfo: userInfo)
        description.apply(options)
        return PropertyDeclaration(kind: .attribute(description), isUnique: options.contains(.unique))
    }

    /// Declares an attribute by its description: one whose type has no counterpart in Swift, such as a composite, or that
    /// needs more than options say. It has no accessor of its own; `value(forKey:)` reads it.
    ///
    ///     .attribute(AttributeDescription("place", .composite, elements: [AttributeDescription("city", .string)]))
    public static func attribute(_ description: AttributeDescription) -> PropertyDeclaration {
        PropertyDeclaration(kind: .attribute(description), isUnique: false)
    }

    /// Declares a to-one relationship.
    public static func property<Object: ManagedObject>(
        _ name: String, _ type: Object?.Type, options: [RelationshipOption] = [], deleteRule: DeleteRule = .nullify,
        minimumModelCount: Int? = nil, maximumModelCount: Int? = nil, originalName: String? = nil,
        inverse: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        let description = RelationshipDescription(
            name, to: "", inverse: inverse, isOptional: !options.contains(.required),
            isTransient: options.contains(.transient), minCount: minimumModelCount ?? 0, deleteRule: deleteRule,
            renamingIdentifier: originalName, versionHashModifier: hashModifier, userInfo: userInfo)
        return PropertyDeclaration(
            kind: .relationship(description, destination: Object.self), isUnique: options.contains(.unique))
    }

    /// Declares a to-many relationship.
    public static func property<Object: ManagedObject>(
        _ name: String, _ type: Set<Object>.Type, options: [RelationshipOption] = [],
        deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = nil, maximumModelCount: Int? = nil,
        originalName: String? = nil, inverse: String? = nil, hashModifier: String? = nil,
        userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        toMany(
            name, to: Object.self, isOrdered: false, options: options, deleteRule: deleteRule,
            counts: (minimumModelCount, maximumModelCount ?? 0), originalName: originalName, inverse: inverse,
            hashModifier: hashModifier, userInfo: userInfo)
    }

    /// Declares an ordered to-many relationship.
    public static func property<Object: ManagedObject>(
        _ name: String, _ type: [Object].Type, options: [RelationshipOption] = [], deleteRule: DeleteRule = .nullify,
        minimumModelCount: Int? = nil, maximumModelCount: Int? = nil, originalName: String? = nil,
        inverse: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        toMany(
            name, to: Object.self, isOrdered: true, options: options, deleteRule: deleteRule,
            counts: (minimumModelCount, maximumModelCount ?? 0), originalName: originalName, inverse: inverse,
            hashModifier: hashModifier, userInfo: userInfo)
    }

    /// Unavailable: a to-one relationship must be optional, since a new object has no destination yet.
    @available(
        *, unavailable,
        message: """
            A to-one relationship must have an optional type. Declare it optional, and add the option .required if it \
            must be set when the object is saved.
            """
    )
    public static func property<Object: ManagedObject>(
        _ name: String, _ type: Object.Type, options: [RelationshipOption] = [], deleteRule: DeleteRule = .nullify,
        minimumModelCount: Int? = nil, maximumModelCount: Int? = nil, originalName: String? = nil,
        inverse: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        preconditionFailure("unavailable")
    }

    private static func toMany(
        _ name: String, to destination: ManagedObject.Type, isOrdered: Bool, options: [RelationshipOption],
        deleteRule: DeleteRule, counts: (minimum: Int?, maximum: Int), originalName: String?, inverse: String?,
        hashModifier: String?, userInfo: [String: String]
    ) -> PropertyDeclaration {
        let description = RelationshipDescription(
            name, to: "", inverse: inverse, isToMany: true, isOrdered: isOrdered,
            isOptional: !options.contains(.required), isTransient: options.contains(.transient),
            // Core Data allows a required to-many without a minimum to be empty, so only a minimum makes it required. One
            // that is given counts, so that a class can say what a model file says.
            minCount: counts.minimum ?? (options.contains(.required) ? 1 : 0),
            maxCount: counts.maximum, deleteRule: deleteRule,
            renamingIdentifier: originalName, versionHashModifier: hashModifier, userInfo: userInfo)
        return PropertyDeclaration(kind: .relationship(description, destination: destination), isUnique: false)
    }
}
