/// **Value.** One side of a comparison.
///
/// Later versions add cases: a `switch` over an expression needs a `default`.
public indirect enum ConditionExpression: Sendable, Hashable {
    /// The value at a path of names, `"friend.age"`. The path may end in a collection operator: `"friends.@count"`,
    /// `"friends.@avg.age"` (`@count`, `@sum`, `@avg`, `@min`, `@max`).
    case keyPath(String)
    /// A constant.
    case value(ManagedValue)
    /// The object itself.
    case object
}
