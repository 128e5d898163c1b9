/// **Value.** A property whose objects are found by a fetch, not kept by a relationship. It has no place in the store.
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// The property's name: unique in the entity, its superentities included, without regard to case.
    public var name: String
    /// The fetch; its condition may use `$FETCH_SOURCE` for the object itself.
    public var fetchRequest: FetchRequestTemplate
    /// Whether the property is optional. It says nothing about the result, and is kept as model files say it.
    public var isOptional: Bool
    /// What the model's author noted about the property.
    public var userInfo: [String: String]

    /// Describes a fetched property.
    public init(
        _ name: String, fetchRequest: FetchRequestTemplate, isOptional: Bool = true, userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.userInfo = userInfo
    }
}
