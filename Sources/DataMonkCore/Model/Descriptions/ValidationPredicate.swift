/// **Value.** A condition that the values of an attribute must satisfy when their object is saved.
///
/// ```swift
/// let isEven = Condition.comparison(.init(.object, .isIn, .value([2, 4, 6])))
/// AttributeDescription(
///     "size", .integer16,
///     validationPredicates: [ValidationPredicate(isEven, warning: "A size is 2, 4 or 6.")])
/// ```
/// The condition concerns only the value, which `ConditionExpression.object` (SELF in a format string) stands for. A text
/// also has the key `length`, in UTF-16 units: `length >= 3 AND length <= 50`. Conditions on several properties belong in
/// `validateForInsert()` and `validateForUpdate()`. The condition is not checked for `nil`, which `isOptional` governs.
public struct ValidationPredicate: Sendable, Hashable {
    /// The condition that the value must satisfy.
    public var condition: Condition
    /// The warning shown to the user if it does not.
    public var warning: String

    /// Creates a predicate from a condition and the warning to show if it is not satisfied.
    public init(_ condition: Condition, warning: String) {
        self.condition = condition
        self.warning = warning
    }
}
