/// **Value.** A description of a property of any kind.
public enum PropertyDescription: Sendable, Hashable {
    /// A value that the object holds.
    case attribute(AttributeDescription)
    /// A relationship to other objects.
    case relationship(RelationshipDescription)
    /// Objects found by a fetch.
    case fetched(FetchedPropertyDescription)

    /// The property's name.
    public var name: String {
        switch self {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        case .fetched(let property): property.name
        }
    }

    /// A Boolean value indicating whether the property may be empty when it is saved.
    public var isOptional: Bool {
        switch self {
        case .attribute(let attribute): attribute.isOptional
        case .relationship(let relationship): relationship.isOptional
        case .fetched(let property): property.isOptional
        }
    }

    /// A Boolean value indicating whether this is a fetched property, which has no place in a row.
    var isFetched: Bool { if case .fetched = self { true } else { false } }
}
