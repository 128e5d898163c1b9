/// **Value.** A description of an index that the store keeps for fetches of one entity.
///
/// ```swift
/// FetchIndexDescription("byLocationAndAge", on: ["location", "age"])
/// ```
public struct FetchIndexDescription: Sendable, Hashable {
    /// The index's name, unique in the entity.
    public var name: String
    /// The elements that the index is sorted by, most significant first.
    public var elements: [FetchIndexElementDescription]
    /// The condition of a partial index, in Core Data's format language.
    public var partialIndexPredicateFormat: String?

    /// Creates a description of an index.
    public init(
        _ name: String, on elements: [FetchIndexElementDescription], partialIndexPredicateFormat: String? = nil
    ) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicateFormat = partialIndexPredicateFormat
    }

    /// Creates a description of an index in the form of old models, which Core Data names after its properties.
    package init(compoundOf propertyNames: [String]) {
        self.init(
            propertyNames.joined(separator: "_"),
            on: propertyNames.map { FetchIndexElementDescription(.property($0)) })
    }
}
