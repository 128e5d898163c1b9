extension PropertyDeclaration {
    /// Declares an attribute of a `Codable` type, which a store keeps as JSON.
    ///
    /// Its accessors are `codableProperty(at:)` and `setCodableProperty(_:at:)`.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - type: The optional type of the values.
    ///   - default: The value in a new object. One that cannot be encoded is refused by the model.
    ///   - options: Options of the attribute; `.codable` may be among them.
    ///   - originalName: The attribute's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text. Changing it gives the attribute a new version hash although its type stays the same.
    ///   - userInfo: Notes for the application or its tools.
    public static func property<Value: Codable & Sendable>(
        _ name: String, codable type: Value?.Type, default: Value? = nil, options: [AttributeOption] = [],
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        codable(
            name, type: Value.self, isOptional: true, default: `default`, options: options, originalName: originalName,
            hashModifier: hashModifier, userInfo: userInfo)
    }

    /// Declares an attribute of a `Codable` type that always has a value.
    ///
    /// Its accessors are `codableProperty(at:default:)` and `setCodableProperty(_:at:)`.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - type: The type of the values.
    ///   - default: The value in a new object. One that cannot be encoded is refused by the model.
    ///   - options: Options of the attribute; `.codable` may be among them.
    ///   - originalName: The attribute's name in earlier versions, if it was renamed.
    ///   - hashModifier: Any text. Changing it gives the attribute a new version hash although its type stays the same.
    ///   - userInfo: Notes for the application or its tools.
    public static func property<Value: Codable & Sendable>(
        _ name: String, codable type: Value.Type, default: Value, options: [AttributeOption] = [],
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        codable(
            name, type: Value.self, isOptional: false, default: `default`, options: options, originalName: originalName,
            hashModifier: hashModifier, userInfo: userInfo)
    }

    private static func codable<Value: Codable & Sendable>(
        _ name: String, type: Value.Type, isOptional: Bool, default value: Value?, options: [AttributeOption],
        originalName: String?, hashModifier: String?, userInfo: [String: String]
    ) -> PropertyDeclaration {
        // Reason for try?: a text that is not JSON, which the model refuses by name.
        let text = value.map { (try? CodableText.encode($0)) ?? "" }
        var description = AttributeDescription(
            name, .string, isOptional: isOptional, isTransient: options.contains(.transient),
            isIndexed: options.contains(.indexed), hasTextIndex: options.contains(.textSearch),
            defaultValue: text.map { .string($0) } ?? .null,
            // The model refuses options that have no meaning for JSON.
            allowsExternalBinaryDataStorage: options.contains(.externalStorage),
            preservesValueInHistoryOnDeletion: options.contains(.preserveValueOnDeletion),
            derivationExpression: options.lazy.compactMap(\.derivation).first,
            renamingIdentifier: originalName, versionHashModifier: hashModifier, userInfo: userInfo)
        description.isCodable = true
        description.apply(options)
        return PropertyDeclaration(kind: .attribute(description), isUnique: options.contains(.unique)) { text in
            var text = text
            _ = try text.withUTF8 { try CodableText.decode(Value.self, from: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension Entity.Attribute {
    /// Throws the error of the declared type's `init(from:)` for a JSON text that it does not decode; `nil` if no class
    /// declares the attribute as codable.
    package var requireDecodable: (@Sendable (String) throws -> Void)? {
        let declared = entity.description.classDeclaration?.properties.first { $0.name == name }
        return declared?.requireDecodable
    }
}

extension PropertyDeclaration {
    /// Unavailable: only a type that is `Codable` and `Sendable` can be stored as JSON.
    @available(
        *, unavailable,
        message: "An attribute with the option .codable must have a type that conforms to Codable and Sendable."
    )
    public static func property<Value>(
        _ name: String, codable type: Value.Type, default: Value? = nil, options: [AttributeOption] = [],
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        preconditionFailure("unavailable")
    }

    /// Unavailable: the type is neither one of an attribute nor one of a relationship.
    @available(
        *, unavailable,
        message: """
            A property of an entity has a type that conforms to ManagedAttribute, as an enum with a raw value can, or is a \
            relationship to another entity. To store a Codable value, such as a struct or an array of values, mark the \
            property @Attribute(.codable).
            """
    )
    public static func property<Value>(
        _ name: String, _ type: Value.Type, default: Value? = nil, options: [AttributeOption] = [],
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) -> PropertyDeclaration {
        preconditionFailure("unavailable")
    }
}
