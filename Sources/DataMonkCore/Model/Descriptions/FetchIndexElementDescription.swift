/// **Value.** One part of an index: a property or an expression, and in which direction.
public struct FetchIndexElementDescription: Sendable, Hashable {
    /// What the index sorts by.
    public enum Subject: Sendable, Hashable {
        /// An attribute or a to-one relationship, by name.
        case property(String)
        /// An expression over the entity's attributes, in Core Data's format language.
        case expression(String)
    }

    /// How the index is built. Raw values are Core Data's.
    public enum CollationType: Int, Sendable, Hashable {
        /// Sorted by the bytes of the value: for equality, ranges and order.
        case binary = 0
        /// An R-tree over numbers: for conditions on several ranges at once.
        case rTree = 1
    }

    /// What the index sorts by.
    public var subject: Subject
    /// How the index is built.
    public var collationType: CollationType
    /// Whether values ascend.
    public var isAscending: Bool

    /// Describes a part of an index.
    public init(_ subject: Subject, collationType: CollationType = .binary, isAscending: Bool = true) {
        self.subject = subject
        self.collationType = collationType
        self.isAscending = isAscending
    }

    /// The name of the property, nil for an expression.
    public var propertyName: String? {
        guard case .property(let name) = subject else { return nil }
        return name
    }
}

extension FetchIndexElementDescription: ExpressibleByStringLiteral {
    /// An ascending binary element over the property of this name.
    public init(stringLiteral propertyName: String) { self.init(.property(propertyName)) }
}
