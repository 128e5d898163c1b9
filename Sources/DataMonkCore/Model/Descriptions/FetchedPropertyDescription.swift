/// **Value.** A description of a property whose objects are found by a fetch, and not kept by a relationship. It is not in
/// the store.
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// The property's name, unique in the entity and its superentities, ignoring case.
    public var name: String
    /// The fetch request. In its condition, `$FETCH_SOURCE` stands for the object itself.
    public var fetchRequest: FetchRequestTemplate
    /// A Boolean value indicating whether the property is optional. It has no effect on the result, and is kept because
    /// model files contain it.
    public var isOptional: Bool
    /// The author's notes on the property.
    public var userInfo: [String: String]

    /// Creates a description of a fetched property.
    public init(
        _ name: String, fetchRequest: FetchRequestTemplate, isOptional: Bool = true, userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.userInfo = userInfo
    }
}
