/// **Value.** What the objects of a fetch have in common: the one tree behind every spelling of a query.
///
/// ```swift
/// let grown: Condition = .comparison(.init(.keyPath("age"), .greaterThanOrEqual, .value(18)))
/// let here: Condition = .comparison(.init(.keyPath("location"), .equal, .value("Taipei")))
/// request.condition = grown.and(here)
/// ```
/// Keys are names until the condition is resolved against an entity, which every fetch does before it asks a store: an
/// unknown key or a value of the wrong type throws a ``FetchError`` there.
///
/// A condition is true or false of an object, never unknown. Nil equals nil and differs from every value; nil is neither
/// less nor greater than anything.
///
/// Later versions add cases: a `switch` over a condition needs a `default`.
///
/// Conditions can be nested without a limit, and are compared, hashed and written out at any depth; used they can be to 500
/// levels. (Chains of `and` and `or` are one level.)
public enum Condition: Sendable {
    /// True of every object, or of none.
    case constant(Bool)
    /// Two expressions, compared.
    indirect case comparison(Comparison)
    /// True where every part is; an empty one is true.
    case and(Parts)
    /// True where at least one part is; an empty one is false.
    case or(Parts)
    /// True where its only part is false.
    case not(Parts)
}

extension Condition {
    /// True where every part is; without parts true.
    public static func and(_ parts: [Condition]) -> Condition { .and(Parts(parts)) }

    /// True where at least one part is; without parts false.
    public static func or(_ parts: [Condition]) -> Condition { .or(Parts(parts)) }

    /// True where the part is false.
    public static func not(_ part: Condition) -> Condition { .not(Parts([part])) }
}

extension Condition {
    /// This condition and another one. Chains stay flat.
    public func and(_ other: Condition) -> Condition {
        switch (self, other) {
        case (.and(let left), .and(let right)): .and(left.elements + right.elements)
        case (.and(let left), _): .and(left.elements + [other])
        case (_, .and(let right)): .and([self] + right.elements)
        default: .and([self, other])
        }
    }

    /// This condition or another one. Chains stay flat.
    public func or(_ other: Condition) -> Condition {
        switch (self, other) {
        case (.or(let left), .or(let right)): .or(left.elements + right.elements)
        case (.or(let left), _): .or(left.elements + [other])
        case (_, .or(let right)): .or([self] + right.elements)
        default: .or([self, other])
        }
    }

    /// The opposite of this condition.
    public var negated: Condition {
        if case .not(let inner) = self { inner[0] } else { .not(self) }
    }

    /// Compares the value at a key path with a constant.
    public static func compare(
        _ keyPath: String, _ operation: Comparison.Operator, _ value: ManagedValue,
        modifier: Comparison.Modifier = .direct, options: Comparison.Options = []
    ) -> Condition {
        .comparison(Comparison(.keyPath(keyPath), operation, .value(value), modifier: modifier, options: options))
    }
}
