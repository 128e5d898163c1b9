/// **Value.** One attribute of an entity: its name, its type, and what a value of it must be.
///
/// ```swift
/// AttributeDescription("name", .string, isOptional: false, defaultValue: .string(""))
/// ```
/// As in Core Data an attribute is optional unless said otherwise.
public struct AttributeDescription: Sendable, Hashable {
    /// The attribute's name: unique in the entity, its superentities included, without regard to case.
    public var name: String
    /// What kind of value the attribute holds.
    public var type: AttributeType
    /// Whether nil may be saved.
    public var isOptional: Bool
    /// Whether the attribute lives in memory only and has no place in the store.
    public var isTransient: Bool
    /// Whether the store keeps an index over this attribute alone.
    public var isIndexed: Bool
    /// The value of a new object, `.null` for none.
    public var defaultValue: ManagedValue
    /// Whether large data may be kept in a file of its own beside the store.
    public var allowsExternalBinaryDataStorage: Bool
    /// Whether the persistent history remembers the value of deleted objects.
    public var preservesValueInHistoryOnDeletion: Bool
    /// Which value transformer turns a transformable value into bytes, nil for the secure keyed archiver.
    public var valueTransformerName: String?
    /// The class of a transformable value, as the model file spells it.
    public var attributeValueClassName: String?
    /// What the store computes the value from, such as `items.@count`. Such an attribute is read-only.
    public var derivationExpression: String?
    /// Whether the value is derived in a way that this library does not know, as a stored model may say: the triggers in
    /// the store's file keep it.
    package var hasUnknownDerivation = false
    /// The smallest legal value; for a string the smallest length. `.null` for no bound.
    public var minimum: ManagedValue
    /// The largest legal value; for a string the largest length. `.null` for no bound.
    public var maximum: ManagedValue
    /// The regular expression that a string must match as a whole.
    public var regularExpression: String?
    /// Conditions that a value must meet when its object is saved.
    public var validationPredicates: [ValidationPredicate]
    /// Whether generated classes hold the value as a scalar rather than as an object.
    public var usesScalarValueType: Bool
    /// The name the attribute had in an earlier version of the model, for migration.
    public var renamingIdentifier: String?
    /// Text that changes the version hash although nothing else changed.
    public var versionHashModifier: String?
    /// What the model's author noted about the attribute.
    public var userInfo: [String: String]
    /// The attributes that make up a composite one, in declaration order.
    public var elements: [AttributeDescription]

    /// Describes an attribute. Every part but name and type has Core Data's default.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        isIndexed: Bool = false,
        defaultValue: ManagedValue = .null, minimum: ManagedValue = .null, maximum: ManagedValue = .null,
        regularExpression: String? = nil, validationPredicates: [ValidationPredicate] = [],
        allowsExternalBinaryDataStorage: Bool = false,
        preservesValueInHistoryOnDeletion: Bool = false, valueTransformerName: String? = nil,
        attributeValueClassName: String? = nil, derivationExpression: String? = nil, usesScalarValueType: Bool = false,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
        elements: [AttributeDescription] = []
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isIndexed = isIndexed
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
    }

    /// Whether the store computes the value; such an attribute cannot be written.
    public var isDerived: Bool { derivationExpression != nil || hasUnknownDerivation }
}
