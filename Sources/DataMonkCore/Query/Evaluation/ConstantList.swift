/// **Shared.** The constants of a long IN, as memory looks for a value among them: in order, so that a look takes as many
/// steps as the list's length has digits, not as it has constants.
///
/// They are put in order for the first look. A database has an order of its own, and pays nothing.
package final class ConstantList: Sendable {
    private let values: [ManagedValue]
    private let options: Condition.Comparison.Options
    private let sorted = Locked<[ManagedValue]?>(nil)

    /// Shorter lists are looked through.
    private static let minimumCount = 32

    /// - Returns: nil for a short list, and for one whose constants are not all of one type: their order may lead in
    ///   circles.
    package init?(_ values: [ManagedValue], _ options: Condition.Comparison.Options) {
        guard values.count >= Self.minimumCount, let first = values.first(where: { !$0.isNull }),
            Self.hasOrder(first), values.allSatisfy({ $0.isNull || Self.areOfOneType($0, first) })
        else { return nil }
        self.values = values
        self.options = options
    }

    /// Whether the value is equal to one of the constants, as ``ValueComparison`` has it.
    ///
    /// - Parameter looks: Is told of each constant that is looked at.
    package func contains(_ value: ManagedValue, looks: () -> Void = {}) -> Bool {
        let sorted = inOrder()
        var (low, high) = (0, sorted.count)
        if value.isNull { return sorted.first?.isNull ?? false }
        while low < high {
            looks()
            let middle = (low + high) / 2
            guard !sorted[middle].isNull else {
                low = middle + 1
                continue
            }
            switch ValueComparison.order(sorted[middle], value, options) {
            case .same: return true
            case .ascending: low = middle + 1
            case .descending: high = middle
            // Of another type, so it is equal to none.
            case nil: return false
            }
        }
        return false
    }

    /// Nil first.
    private func inOrder() -> [ManagedValue] {
        sorted.withLock { sorted in
            if let sorted { return sorted }
            let made = values.sorted { left, right in
                if left.isNull || right.isNull { return left.isNull && !right.isNull }
                return ValueComparison.order(left, right, options) == .ascending
            }
            sorted = made
            return made
        }
    }

    private static func hasOrder(_ value: ManagedValue) -> Bool {
        switch value {
        case .int, .double, .string, .date, .uuid, .data, .url: true
        case .null, .bool, .decimal, .object, .list, .dictionary: false
        }
    }

    private static func areOfOneType(_ one: ManagedValue, _ other: ManagedValue) -> Bool {
        switch (one, other) {
        case (.int, .int), (.double, .double), (.string, .string), (.date, .date), (.uuid, .uuid), (.data, .data),
            (.url, .url):
            true
        default: false
        }
    }
}
