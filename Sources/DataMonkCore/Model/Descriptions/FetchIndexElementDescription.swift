/// **Value.** An element of an index: a property or an expression, and a direction.
public struct FetchIndexElementDescription: Sendable, Hashable {
    /// The values that the element sorts by.
    public enum Subject: Sendable, Hashable {
        /// An attribute or a to-one relationship, by name.
        case property(String)
        /// An expression over the entity's attributes, in Core Data's format language.
        case expression(String)
    }

    /// The kind of index. The raw values are Core Data's.
    public enum CollationType: Int, Sendable, Hashable {
        /// An index sorted by the bytes of the value, for equality, ranges and order.
        case binary = 0
        /// An R-tree over numbers, for conditions on several ranges at once.
        case rTree = 1
    }

    /// The values that the element sorts by.
    public var subject: Subject
    /// The kind of index.
    public var collationType: CollationType
    /// A Boolean value indicating whether values ascend.
    public var isAscending: Bool

    /// Creates an element of an index.
    public init(_ subject: Subject, collationType: CollationType = .binary, isAscending: Bool = true) {
        self.subject = subject
        self.collationType = collationType
        self.isAscending = isAscending
    }

    /// The name of the property, or `nil` for an expression.
    public var propertyName: String? {
        guard case .property(let name) = subject else { return nil }
        return name
    }
}

extension FetchIndexElementDescription: ExpressibleByStringLiteral {
    /// Creates an ascending binary element on a property.
    public init(stringLiteral propertyName: String) { self.init(.property(propertyName)) }
}
