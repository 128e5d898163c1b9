import DataMonkCore
import Foundation

/// **Value.** The aggregates that SQL lacks, or that differ from those in memory. A store registers each of them with its
/// database. They are pure.
///
/// `datamonk_sum(x, kind)`: `kind` is the kind of `x`, as a letter. Aggregates are exact, those of
/// decimals as text. The ones used in comparisons are numbers.
package enum SQLAggregate: String, CaseIterable, Sendable {
    /// The sum; exact for integers, where SQL's own fails beyond 64 bits.
    case sum = "datamonk_sum"
    /// The mean.
    case average = "datamonk_average"
    /// The population standard deviation.
    case standardDeviation = "datamonk_stddev"
    /// The median.
    case median = "datamonk_median"
    /// The sum as a number; the nearest double if it exceeds 64 bits.
    case comparedSum = "datamonk_compared_sum"
    /// The mean as a number.
    case comparedAverage = "datamonk_compared_average"
    /// The median as a number.
    case comparedMedian = "datamonk_compared_median"

    /// Returns `nil` for aggregates that SQL has itself.
    init?(_ function: FetchRequest.Selection.Function, isCompared: Bool) {
        switch function {
        case .sum: self = isCompared ? .comparedSum : .sum
        case .average: self = isCompared ? .comparedAverage : .average
        case .median: self = isCompared ? .comparedMedian : .median
        case .standardDeviation: self = .standardDeviation
        case .count, .minimum, .maximum: return nil
        }
    }

    /// The aggregate's name in SQL.
    package var name: String { rawValue }

    package var argumentCount: Int { 2 }

    /// Creates the state for one group of rows.
    package func makeState() -> State { State(self) }

    /// Returns the SQL of a call for values of a kind.
    func call(_ sql: String, kind: ValueKind) -> String {
        "\(name)(\(sql), '\(kind.letter)')"
    }
}

extension SQLAggregate {
    /// **Confined.** An aggregate over the rows of one group.
    package final class State {
        private let aggregate: SQLAggregate
        private var accumulator: AggregateAccumulator
        /// The kind of the values, the same in every row.
        private var kind: ValueKind?

        fileprivate init(_ aggregate: SQLAggregate) {
            self.aggregate = aggregate
            accumulator = AggregateAccumulator(aggregate.function)
        }

        /// Adds the value of one row.
        package func step<Call: SQLFunctionCall & ~Copyable>(_ call: borrowing Call) {
            if kind == nil, case .string(let letter) = call.managedValue(at: 1) {
                kind = letter.first.flatMap { ValueKind(letter: $0) }
            }
            let stored = call.managedValue(at: 0)
            accumulator.add(kind?.operand(stored) ?? stored)
        }

        /// Returns the aggregate after the last row; NULL for no values.
        package func finish<Call: SQLFunctionCall & ~Copyable>(_ call: borrowing Call) {
            if accumulator.isEmpty { return call.returnNull() }
            switch aggregate.isCompared ? accumulator.operatorValue.storageForm : accumulator.result {
            case .int(let number): call.returnValue(number)
            case .double(let number): call.returnValue(number)
            case .decimal(let number):
                if let whole = number.wholeValue {
                    call.returnValue(whole)
                } else {
                    call.returnValue(number.description)
                }
            case .date(let date): call.returnValue(date.timeIntervalSinceReferenceDate)
            default: call.returnNull()
            }
        }
    }

    /// A Boolean value indicating whether the result is a number for comparison. A standard deviation is rounded anyway, so
    /// it is compared and sorted as it is.
    private var isCompared: Bool {
        switch self {
        case .sum, .average, .median: false
        case .standardDeviation, .comparedSum, .comparedAverage, .comparedMedian: true
        }
    }

    private var function: FetchRequest.Selection.Function {
        switch self {
        case .sum, .comparedSum: .sum
        case .average, .comparedAverage: .average
        case .standardDeviation: .standardDeviation
        case .median, .comparedMedian: .median
        }
    }
}

@available(*, unavailable)
extension SQLAggregate.State: Sendable {}
