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
    ///
    /// Validation leaves it alone, also where it is not optional: a mandatory one is NULL in the store while what it is
    /// derived from has no value, and reads as its type's default. Core Data refuses to insert its object with 1570.
    case derived(String)
    /// The value stays in the history of a deleted object.
    case preserveValueOnDeletion
    /// The smallest legal value; of a text the least length, in UTF-16 units as Core Data counts.
    case minimum(ManagedValue)
    /// The largest legal value; of a text the greatest length, in UTF-16 units as Core Data counts.
    case maximum(ManagedValue)
    /// A text must match the regular expression as a whole.
    case regularExpression(String)
    /// The value must meet a condition, in which `ConditionExpression.object` stands for it; if it does not, the text is
    /// what the user is told.
    case validation(Condition, warning: String)
}

extension AttributeDescription {
    /// Takes over what the options say of legal values.
    mutating func apply(_ options: [AttributeOption]) {
        for option in options {
            switch option {
            case .minimum(let value): minimum = value
            case .maximum(let value): maximum = value
            case .regularExpression(let pattern): regularExpression = pattern
            case .validation(let condition, let warning):
                validationPredicates.append(ValidationPredicate(condition, warning: warning))
            case .unique, .externalStorage, .transient, .indexed, .derived, .preserveValueOnDeletion: break
            }
        }
    }
}

/// **Value.** What a relationship is besides its destination.
public enum RelationshipOption: Hashable, Sendable {
    /// No two objects of the entity may have the same destination.
    case unique
    /// The link is kept in memory only.
    case transient
    /// The relationship may not be empty when its object is saved. A to-many gets a minimum count of 1, without which Core
    /// Data would let it be empty.
    case required
}

extension AttributeOption {
    /// What the attribute is derived from, nil if it is not.
    var derivation: String? { if case .derived(let expression) = self { expression } else { nil } }
}
