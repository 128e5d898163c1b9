/// **Value.** How plain data compares: single values as everywhere, lists and dictionaries by what they hold.
enum PlainComparison {
    /// Whether a comparison of two values holds, its modifier aside.
    static func holds(
        _ left: PlainValue, _ comparison: Condition.Comparison, _ right: PlainValue
    ) throws(FetchError) -> Bool {
        let options = comparison.options
        switch comparison.operation {
        case .equal: return try areEqual(left, right, options)
        case .notEqual: return try !areEqual(left, right, options)
        case .isIn:
            if right == .null { return false }
            if let members = right.members { return try has(members, left, options) }
        case .contains:
            if let elements = left.elements { return try has(elements, right, options) }
        default: break
        }
        guard let one = left.managedValue, let other = right.managedValue else {
            let symbol = comparison.operation.symbol
            throw FetchError(.notComparable, "\(symbol) does not compare \(left.kind) with \(right.kind).")
        }
        return try ValueComparison.compare(one, comparison.operation, other, options: options)
    }

    /// Whether one of some values is equal to another.
    static func has(
        _ elements: [PlainValue], _ value: PlainValue, _ options: Condition.Comparison.Options = []
    ) throws(FetchError) -> Bool {
        for element in elements where try areEqual(element, value, options) { return true }
        return false
    }

    static func areEqual(
        _ left: PlainValue, _ right: PlainValue, _ options: Condition.Comparison.Options = []
    ) throws(FetchError) -> Bool {
        if let one = left.elements, let other = right.elements {
            guard one.count == other.count else { return false }
            for (one, other) in zip(one, other) where try !areEqual(one, other, options) { return false }
            return true
        }
        switch (left, right) {
        case (.value(let one), .value(let other)):
            return try ValueComparison.compare(one, .equal, other, options: options)
        case (.dictionary(let one), .dictionary(let other)):
            guard one.count == other.count else { return false }
            for (key, value) in one {
                guard let twin = other[key], try areEqual(value, twin, options) else { return false }
            }
            return true
        default: return false
        }
    }
}

extension PlainValue {
    /// What IN looks into: the elements of a list, the values of a dictionary; nil for everything else.
    fileprivate var members: [PlainValue]? {
        if case .dictionary(let values) = self { Array(values.values) } else { elements }
    }
}
