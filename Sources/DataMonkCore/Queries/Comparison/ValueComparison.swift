import Foundation

/// **Value.** Compares two values. This is the only implementation: conditions in memory, sorting, and the functions that a
/// store registers with its database all use it.
///
/// - Numbers of every kind compare by value: a Bool is 0 or 1, an integer and a double are not rounded to each other, and a
///   decimal beside one of them counts as the nearest double unless it is a whole number.
/// - Text compares by its UTF-8 bytes, which is the order of Unicode scalars and the order of a database's index. With an
///   option, text is folded first; see ``TextFolding``.
/// - UUIDs and data compare by their bytes, URLs by their absolute text, dates by time. Under `[c]`, data ignores the case
///   of ASCII letters.
/// - `nil` equals `nil`, and is LIKE `nil`. Compared with any other value, `nil` satisfies only `!=`.
/// - Values of different kinds are unequal and have no order.
package enum ValueComparison {
    /// The order of two values.
    @frozen
    package enum Order: Sendable {
        case ascending, same, descending

        @inlinable package init(isLess: Bool, isEqual: Bool) {
            self = isEqual ? .same : isLess ? .ascending : .descending
        }

        package var reversed: Order {
            switch self {
            case .ascending: .descending
            case .same: .same
            case .descending: .ascending
            }
        }
    }

    /// Returns `true` if the comparison holds.
    ///
    /// - Throws: ``FetchError`` if an ordering operator compares values without a common order, or if a regular expression
    ///   is invalid or takes too long.
    package static func compare(
        _ left: ManagedValue, by operation: Condition.Comparison.Operator, with right: ManagedValue,
        options: Condition.Comparison.Options = []
    ) throws(FetchError) -> Bool {
        switch operation {
        case .equal: return isEqual(left, right, options: options)
        case .notEqual: return !isEqual(left, right, options: options)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            if left.isNull || right.isNull {
                return left.isNull && right.isNull
                    && (operation == .lessThanOrEqual || operation == .greaterThanOrEqual)
            }
            let order = try orderOrThrow(left, right, options: options)
            switch operation {
            case .lessThan: return order == .ascending
            case .lessThanOrEqual: return order != .descending
            case .greaterThan: return order == .descending
            default: return order != .ascending
            }
        case .isIn:
            if case .string = right { return try compare(right, by: .contains, with: left, options: options) }
            guard case .list(let values) = right else { throw needsList(operation) }
            return values.contains { isEqual(left, $0, options: options) }
        case .between:
            guard case .list(let bounds) = right, bounds.count == 2 else { throw needsList(operation) }
            if left.isNull || bounds.contains(.null) { return false }
            let fromLower = try orderOrThrow(left, bounds[0], options: options)
            let toUpper = try orderOrThrow(left, bounds[1], options: options)
            return fromLower != .ascending && toUpper != .descending
        case .contains where right.isList || left.isList:
            guard case .list(let values) = left else { return false }
            return values.contains { isEqual($0, right, options: options) }
        case .contains, .beginsWith, .endsWith, .like, .matches, .containsWords:
            switch (left, right) {
            case (.string(let text), .string(let pattern)):
                return try TextComparison.compare(text, by: operation, with: pattern, options: options)
            case (.data(let data), .data(let pattern)) where operation != .matches && operation != .containsWords:
                return try TextComparison.compare(data, by: operation, with: pattern, options: options)
            default: return try textualWithoutText(left, by: operation, with: right)
            }
        }
    }

    /// Returns the order of two values, or `nil` if they have none. `nil` values are not ordered here; sorting has its own
    /// rule.
    package static func order(
        _ left: ManagedValue, _ right: ManagedValue, options: Condition.Comparison.Options = []
    ) -> Order? {
        switch (left, right) {
        case (.int(let one), .int(let other)): Order(isLess: one < other, isEqual: one == other)
        case (.double(let one), .double(let other)): Order(isLess: one < other, isEqual: one == other)
        case (.string(let one), .string(let other)): TextComparison.order(one, other, options: options)
        case (.date(let one), .date(let other)): Order(isLess: one < other, isEqual: one == other)
        case (.uuid(let one), .uuid(let other)): orderOfBytes(one, other)
        case (.data(let one), .data(let other)):
            orderOfBytes(TextFolding.fold(data: one, options: options), TextFolding.fold(data: other, options: options))
        case (.url(let one), .url(let other)):
            TextComparison.order(one.absoluteString, other.absoluteString, options: [])
        default: NumberComparison.order(left, right)
        }
    }

    private static func isEqual(
        _ left: ManagedValue, _ right: ManagedValue, options: Condition.Comparison.Options
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.object(let one), .object(let other)): one == other
        case (.list(let one), .list(let other)):
            one.count == other.count && zip(one, other).allSatisfy { isEqual($0, $1, options: options) }
        case (.dictionary(let one), .dictionary(let other)):
            one.count == other.count
                && one.allSatisfy { key, value in other[key].map { isEqual(value, $0, options: options) } ?? false }
        default: order(left, right, options: options) == .same
        }
    }

    private static func orderOrThrow(
        _ left: ManagedValue, _ right: ManagedValue, options: Condition.Comparison.Options
    ) throws(FetchError) -> Order {
        if let order = order(left, right, options: options) { return order }
        throw FetchError(
            .notComparable, "Cannot order \(left.kind) and \(right.kind), because their types are not comparable.")
    }

    private static func orderOfBytes(_ left: Data, _ right: Data) -> Order {
        Order(isLess: left.lexicographicallyPrecedes(right), isEqual: left == right)
    }

    private static func orderOfBytes(_ left: UUID, _ right: UUID) -> Order {
        withUnsafeBytes(of: left.uuid) { one in
            withUnsafeBytes(of: right.uuid) { other in
                Order(isLess: one.lexicographicallyPrecedes(other), isEqual: one.elementsEqual(other))
            }
        }
    }

    private static func textualWithoutText(
        _ left: ManagedValue, by operation: Condition.Comparison.Operator, with right: ManagedValue
    ) throws(FetchError) -> Bool {
        if left.isNull || right.isNull { return operation == .like && left.isNull && right.isNull }
        throw FetchError(.notComparable, "\(operation.symbol) compares text, not \(left.kind) with \(right.kind).")
    }

    private static func needsList(_ operation: Condition.Comparison.Operator) -> FetchError {
        FetchError(
            .typeMismatch,
            operation == .between ? "BETWEEN requires a list of two bounds." : "\(operation.symbol) requires a list.")
    }
}

extension ManagedValue {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
