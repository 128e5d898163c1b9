/// **Value.** What an attribute is besides its type; spelled as SwiftData spells it where it has it.
public enum AttributeOption: Hashable, Sendable {
    /// No two objects of the entity may have the same value.
    case unique
    /// Large values live in files beside the store.
    case externalStorage
    /// The value is kept in memory only.
    case transient
    /// The store keeps an index over the attribute.
    case indexed
    /// The store computes the value, from an expression such as `"tasks.@count"`, `"author.name"`, `"canonical:(name)"` or
    /// `"now()"`. The attribute is read-only, and has its value after each save.
    case derived(String)
    /// The value stays in the history of a deleted object.
    case preserveValueOnDeletion
}

/// **Value.** What a relationship is besides its destination.
public enum RelationshipOption: Hashable, Sendable {
    /// No two objects of the entity may have the same destination.
    case unique
    /// The link is kept in memory only.
    case transient
    /// The relationship may not be empty when its object is saved.
    case required
}

extension AttributeOption {
    /// What the attribute is derived from, nil if it is not.
    var derivation: String? { if case .derived(let expression) = self { expression } else { nil } }
}
