/// **Value.** A condition on the objects of a fetch: the one tree to which every way of writing a query is translated.
///
/// ```swift
/// let grown: Condition = .comparison(.init(.keyPath("age"), .greaterThanOrEqual, .value(18)))
/// let here: Condition = .comparison(.init(.keyPath("location"), .equal, .value("Taipei")))
/// request.condition = grown.and(here)
/// ```
/// Keys are names until the condition is resolved against an entity, which every fetch does before it asks a store. An
/// unknown key or a value of the wrong type throws a ``FetchError`` at that point.
///
/// A condition is true or false for an object, never unknown. `nil` equals `nil` and differs from every value; `nil` is
/// neither less nor greater than anything.
///
/// Later versions may add cases: a `switch` over a condition needs a `default`.
///
/// Conditions can be nested without limit, and are compared, hashed and written out at any depth, but can be used only up
/// to 100 levels. A chain of `and` or `or` counts as one level.
public enum Condition: Sendable {
    /// True for every object, or for none.
    case constant(Bool)
    /// A comparison of two expressions.
    indirect case comparison(Comparison)
    /// True if every part is true; true without parts.
    case and(Parts)
    /// True if at least one part is true; false without parts.
    case or(Parts)
    /// True if its only part is false.
    case not(Parts)
}

extension Condition {
    /// Returns a condition that is true if every part is true. Without parts it is true.
    public static func and(_ parts: [Condition]) -> Condition { .and(Parts(parts)) }

    /// Returns a condition that is true if at least one part is true. Without parts it is false.
    public static func or(_ parts: [Condition]) -> Condition { .or(Parts(parts)) }

    /// Returns a condition that is true if the part is false.
    public static func not(_ part: Condition) -> Condition { .not(Parts([part])) }
}

extension Condition {
    /// Returns a condition that is true if this condition and another one are true. Chains stay flat.
    public func and(_ other: Condition) -> Condition {
        switch (self, other) {
        case (.and(let left), .and(let right)): .and(left.elements + right.elements)
        case (.and(let left), _): .and(left.elements + [other])
        case (_, .and(let right)): .and([self] + right.elements)
        default: .and([self, other])
        }
    }

    /// Returns a condition that is true if this condition or another one is true. Chains stay flat.
    public func or(_ other: Condition) -> Condition {
        switch (self, other) {
        case (.or(let left), .or(let right)): .or(left.elements + right.elements)
        case (.or(let left), _): .or(left.elements + [other])
        case (_, .or(let right)): .or([self] + right.elements)
        default: .or([self, other])
        }
    }

    /// The negation of this condition.
    public var negated: Condition {
        if case .not(let inner) = self { inner[0] } else { .not(self) }
    }

    /// Returns a condition that compares the value at a key path with a constant.
    public static func compare(
        _ keyPath: String, _ operation: Comparison.Operator, _ value: ManagedValue,
        modifier: Comparison.Modifier = .direct, options: Comparison.Options = []
    ) -> Condition {
        .comparison(Comparison(.keyPath(keyPath), operation, .value(value), modifier: modifier, options: options))
    }
}

extension Condition {
    /// The maximum depth of a condition, of a format string and of a predicate. The walks over them are recursive, and the
    /// threads of Apple's systems have stacks of 512 KiB, of which a level takes up to 2.5 KiB in optimized builds.
    static let maximumDepth = 100

    /// Throws if the condition is too deep to be walked by recursion.
    func requireUsableDepth() throws(FetchError) {
        if depth > Self.maximumDepth { throw .deepCondition(nil) }
    }
}

extension FetchError {
    /// Returns the error for a condition or an expression that is nested too deeply to be used.
    static func deepCondition(_ entityName: String?) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            The condition is nested more than \(Condition.maximumDepth) levels deep. Join its parts in a flat list.
            """,
            entityName: entityName)
    }
}
