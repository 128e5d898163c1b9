/// **Value.** An option of an attribute, named as in SwiftData where SwiftData has it.
public enum AttributeOption: Hashable, Sendable {
    /// No two objects of the entity may have the same value.
    case unique
    /// Large values are kept in files beside the store.
    case externalStorage
    /// The value is kept only in memory.
    case transient
    /// The store keeps an index on the attribute.
    case indexed
    /// The type is any that is `Codable` and `Sendable`: a struct or an enum, an array, a set or a dictionary of values. The
    /// store keeps the value as JSON, in an attribute of the type String.
    ///
    ///     struct Enclosure: Codable { var url: URL; var length: Int }
    ///
    ///     @Entity final class Article: ManagedObject {
    ///         @Attribute(.codable) var enclosure: Enclosure?
    ///         @Attribute(.codable) var keywords: [String] = []
    ///     }
    ///     try World.fetchAll(Article.self, %"enclosure.length" > 1_000_000 && %"keywords"%.any == "swift")
    ///
    /// A property that is not optional needs an initial value. In a class without `@Entity`, declare such an attribute by
    /// ``PropertyDeclaration/property(_:codable:default:options:originalName:hashModifier:userInfo:)``; elsewhere the option
    /// has no meaning.
    case codable
    /// The store keeps a full-text index of a string, which finds the words of `contains(words:)` without reading all texts.
    case textSearch
    /// The store computes the value from an expression such as `"tasks.@count"`, `"author.name"`, `"canonical:(name)"` or
    /// `"now()"`. The attribute is read-only, and has its value after each save.
    ///
    /// It is not validated, even if it is not optional: a mandatory derived attribute is NULL in the store while its source
    /// has no value, and reads as its type's default. Core Data refuses to insert such an object with error 1570.
    case derived(String)
    /// The value is kept in the history of a deleted object.
    case preserveValueOnDeletion
    /// The smallest allowed value or, for a text, the smallest length, in UTF-16 units as in Core Data.
    case minimum(ManagedValue)
    /// The largest allowed value or, for a text, the largest length, in UTF-16 units as in Core Data.
    case maximum(ManagedValue)
    /// A text must match the regular expression as a whole.
    case regularExpression(String)
    /// The value must satisfy a condition, in which `ConditionExpression.object` stands for the value. If it does not, the
    /// user sees the warning.
    case validation(Condition, warning: String)
}

extension AttributeDescription {
    /// Applies the options that constrain the values.
    mutating func apply(_ options: [AttributeOption]) {
        for option in options {
            switch option {
            case .minimum(let value): minimum = value
            case .maximum(let value): maximum = value
            case .regularExpression(let pattern): regularExpression = pattern
            case .validation(let condition, let warning):
                validationPredicates.append(ValidationPredicate(condition, warning: warning))
            case .unique, .externalStorage, .transient, .indexed, .textSearch, .codable, .derived,
                .preserveValueOnDeletion:
                break
            }
        }
    }
}

/// **Value.** An option of a relationship.
public enum RelationshipOption: Hashable, Sendable {
    /// No two objects of the entity may have the same destination.
    case unique
    /// The relationship is kept only in memory.
    case transient
    /// The relationship must not be empty when its object is saved. A to-many gets a minimum count of 1, without which Core
    /// Data would allow it to be empty.
    case required
}

extension AttributeOption {
    /// The expression from which the attribute is derived, or `nil` if it is not derived.
    var derivation: String? { if case .derived(let expression) = self { expression } else { nil } }
}
