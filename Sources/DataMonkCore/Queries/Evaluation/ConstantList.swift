/// **Shared.** The constants of a long IN, sorted for lookups in memory, so that a lookup takes logarithmic and not linear
/// time.
///
/// The constants are sorted at the first lookup. A database has an order of its own and never pays for this one.
package final class ConstantList: Sendable {
    private let values: [ManagedValue]
    private let options: Condition.Comparison.Options
    private let sorted = Locked<[ManagedValue]?>(nil)

    /// The length below which a list is searched linearly.
    private static let minimumCount = 32

    /// - Returns: `nil` for a short list, and for a list whose constants are not all of one type, since their order may be
    ///   circular.
    package init?(_ values: [ManagedValue], options: Condition.Comparison.Options) {
        guard values.count >= Self.minimumCount, let first = values.first(where: { !$0.isNull }),
            Self.hasOrder(first), values.allSatisfy({ $0.isNull || Self.areOfOneType($0, first) })
        else { return nil }
        self.values = values
        self.options = options
    }

    /// Returns `true` if the value is equal to one of the constants, by the rules of ``ValueComparison``.
    ///
    /// - Parameter looks: A closure that is called for each constant the lookup examines.
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
            switch ValueComparison.order(sorted[middle], value, options: options) {
            case .same: return true
            case .ascending: low = middle + 1
            case .descending: high = middle
            // A value of another type equals none of the constants.
            case nil: return false
            }
        }
        return false
    }

    /// Returns the constants in order, `nil` first.
    private func inOrder() -> [ManagedValue] {
        sorted.withLock { sorted in
            if let sorted { return sorted }
            let made = values.sorted { left, right in
                if left.isNull || right.isNull { return left.isNull && !right.isNull }
                return ValueComparison.order(left, right, options: options) == .ascending
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
