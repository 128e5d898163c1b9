/// **Value.** A description of an attribute: its name, its type, and the constraints on its values.
///
/// ```swift
/// AttributeDescription("name", .string, isOptional: false, defaultValue: .string(""))
/// ```
/// As in Core Data, attributes are optional by default.
public struct AttributeDescription: Sendable, Hashable {
    /// The attribute's name, unique in the entity and its superentities, ignoring case.
    public var name: String
    /// The type of the attribute's value.
    public var type: AttributeType
    /// A Boolean value indicating whether `nil` may be saved.
    public var isOptional: Bool
    /// A Boolean value indicating whether the attribute exists only in memory and not in the store.
    public var isTransient: Bool
    /// A Boolean value indicating whether the store keeps an index on this attribute alone.
    public var isIndexed: Bool
    /// A Boolean value indicating whether the store keeps a full-text index of the attribute, which must be a string.
    ///
    /// It is no part of the version hash, and Core Data does not know it. A store gets or loses the index when it is opened.
    public var hasTextIndex: Bool
    /// The value in a new object, or `.null` if there is none.
    public var defaultValue: ManagedValue
    /// A Boolean value indicating whether large data may be kept in separate files beside the store.
    public var allowsExternalBinaryDataStorage: Bool
    /// A Boolean value indicating whether the persistent history keeps the value when the object is deleted.
    public var preservesValueInHistoryOnDeletion: Bool
    /// The name of the value transformer that turns a transformable value into bytes, or `nil` for the secure keyed
    /// archiver.
    public var valueTransformerName: String?
    /// The class of a transformable value, as the model file spells it.
    public var attributeValueClassName: String?
    /// The expression from which the store computes the value, such as `items.@count`. The attribute is then read-only.
    public var derivationExpression: String?
    /// A Boolean value indicating whether the value is derived in a way that this library does not know, as a stored
    /// model may say: the triggers in
    /// the store's file keep it.
    package var hasUnknownDerivation = false
    /// The smallest legal value; for a string the smallest length. `.null` for no bound.
    public var minimum: ManagedValue
    /// The largest allowed value or, for a string, the largest length. `.null` for no bound.
    public var maximum: ManagedValue
    /// The regular expression that a string must match as a whole.
    public var regularExpression: String?
    /// The conditions that a value must satisfy when its object is saved.
    public var validationPredicates: [ValidationPredicate]
    /// A Boolean value indicating whether generated classes hold the value as a scalar rather than as an object.
    public var usesScalarValueType: Bool
    /// The attribute's name in an earlier version of the model, for migration.
    public var renamingIdentifier: String?
    /// A text that changes the version hash when nothing else has changed.
    public var versionHashModifier: String?
    /// The author's notes on the attribute.
    public var userInfo: [String: String]
    /// The attributes of a composite attribute, in declaration order.
    public var elements: [AttributeDescription]

    /// Creates a description of an attribute. Everything but name and type has Core Data's default.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        isIndexed: Bool = false, hasTextIndex: Bool = false,
        defaultValue: ManagedValue = .null, minimum: ManagedValue = .null, maximum: ManagedValue = .null,
        regularExpression: String? = nil, validationPredicates: [ValidationPredicate] = [],
        allowsExternalBinaryDataStorage: Bool = false,
        preservesValueInHistoryOnDeletion: Bool = false, valueTransformerName: String? = nil,
        attributeValueClassName: String? = nil, derivationExpression: String? = nil, usesScalarValueType: Bool = false,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
        elements: [AttributeDescription] = [], isCodable: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isIndexed = isIndexed
        self.hasTextIndex = hasTextIndex
        self.defaultValue = defaultValue
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        self.valueTransformerName = valueTransformerName
        self.attributeValueClassName = attributeValueClassName
        self.derivationExpression = derivationExpression
        self.minimum = minimum
        self.maximum = maximum
        self.regularExpression = regularExpression
        self.validationPredicates = validationPredicates
        self.usesScalarValueType = usesScalarValueType
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.elements = elements
        if isCodable { self.isCodable = true }
    }

    /// A Boolean value indicating whether the attribute is text that holds the JSON of a `Codable` value.
    ///
    /// It is kept as a note in ``userInfo``, so that model files and stores carry it, and Core Data sees a text.
    public var isCodable: Bool {
        get { type == .string && userInfo[Self.codableKey] != nil }
        set { userInfo[Self.codableKey] = newValue ? "JSON" : nil }
    }

    static let codableKey = "DataMonkCodable"

    /// A Boolean value indicating whether the store computes the value. Such an attribute cannot be written.
    public var isDerived: Bool { derivationExpression != nil || hasUnknownDerivation }
}
