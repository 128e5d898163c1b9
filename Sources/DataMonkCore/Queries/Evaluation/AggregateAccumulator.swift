import Foundation

/// **Value.** Computes one aggregate over a sequence of values. This is the only implementation: selections in memory,
/// collection operators of key paths, and the aggregates that a store registers with its database all use it.
package struct AggregateAccumulator {
    private let function: FetchRequest.Selection.Function
    /// The number of values that are not `nil`.
    private var count = 0
    private var total = Total()
    /// The running mean and the sum of squared distances from it (Welford), which are stable for values far from zero.
    private var mean = 0.0
    private var squares = 0.0
    /// The smallest or largest value so far.
    private var extreme = ManagedValue.null
    /// All values, kept only for the median.
    private var sample = Sample()

    /// A Boolean value indicating whether there were no values.
    package var isEmpty: Bool { count == 0 }

    package init(_ function: FetchRequest.Selection.Function) { self.function = function }

    /// Adds a value; `nil` is ignored.
    package mutating func add(_ value: ManagedValue) {
        if value.isNull { return }
        count += 1
        switch function {
        case .count: break
        case .sum, .average: total.add(value)
        case .minimum: replaceExtreme(value, ifOrdered: .ascending)
        case .maximum: replaceExtreme(value, ifOrdered: .descending)
        case .median: sample.add(value)
        case .standardDeviation:
            guard let number = Double(managedValue: value) else { return }
            let distance = number - mean
            mean += distance / Double(count)
            squares += distance * (number - mean)
        }
    }

    /// Adds a value as often as it occurs.
    mutating func add(_ value: ManagedValue, times: Int) {
        if times == 0 { return }
        switch function {
        case .count: if !value.isNull { count += times }
        case .minimum, .maximum: add(value)
        case .sum, .average, .median, .standardDeviation: for _ in 0..<times { add(value) }
        }
    }

    private mutating func replaceExtreme(_ value: ManagedValue, ifOrdered order: ValueComparison.Order) {
        if extreme.isNull || ValueComparison.order(value, extreme) == order { extreme = value }
    }

    /// The aggregate in the kind that ``FetchRequest/Selection/Function`` specifies.
    package var result: ManagedValue {
        switch function {
        case .sum: total.exact
        case .average: Total.decimal(total.mean(of: count))
        case .standardDeviation: Total.decimal(deviation)
        case .count, .minimum, .maximum, .median: operatorValue
        }
    }

    /// The aggregate as a collection operator yields it, for comparison: a sum in the kind of its values, 0 if there are
    /// none; an average as a double.
    package var operatorValue: ManagedValue {
        switch function {
        case .sum: total.value ?? .int(0)
        case .average: total.mean(of: count).storageForm
        case .minimum, .maximum: extreme
        case .count: .int(Int64(count))
        case .median: median(isOfKind: true)
        case .standardDeviation: deviation
        }
    }

    /// The aggregate as a function over a list yields it: the median of integers may have a fraction, as in Core Data.
    package var functionValue: ManagedValue { function == .median ? median(isOfKind: false) : operatorValue }

    /// The standard deviation, or `nil` if there are no values or if they are so far apart that the square of their
    /// distance overflows.
    private var deviation: ManagedValue {
        let deviation = (squares / Double(count)).squareRoot()
        return deviation.isNaN ? .null : .double(deviation)
    }

    /// - Parameter isOfKind: A Boolean value indicating whether the median of integers is an integer too, without its
    ///   fraction.
    private func median(isOfKind: Bool) -> ManagedValue {
        guard let (lower, upper) = sample.middle else { return .null }
        return count % 2 == 1 ? upper : Self.middle(of: lower, and: upper, isOfKind: isOfKind)
    }

    private static func middle(of lower: ManagedValue, and upper: ManagedValue, isOfKind: Bool) -> ManagedValue {
        switch (lower, upper) {
        case (.int(let one), .int(let other)) where !isOfKind && (one ^ other) & 1 == 1:
            return .double(Double(one) / 2 + Double(other) / 2)
        case (.int(let one), .int(let other)):
            let (sum, overflows) = one.addingReportingOverflow(other)
            return .int(overflows ? one / 2 + other / 2 + (one % 2 + other % 2) / 2 : sum / 2)
        case (.double(let one), .double(let other)): return .double(one / 2 + other / 2)
        case (.decimal(let one), .decimal(let other)): return .decimal((one + other) / 2)
        case (.date(let one), .date(let other)):
            let (early, late) = (one.timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate)
            return .date(Date(timeIntervalSinceReferenceDate: early / 2 + late / 2))
        default:
            // A database returns whole doubles as integers.
            guard let one = Double(managedValue: lower), let other = Double(managedValue: upper) else { return lower }
            return .double(one / 2 + other / 2)
        }
    }
}
