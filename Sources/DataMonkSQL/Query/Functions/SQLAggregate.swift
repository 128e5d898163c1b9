import DataMonkCore
import Foundation

/// **Value.** The figures that SQL has not, or has not exactly: a store registers each of them with its database. They are
/// pure.
package enum SQLAggregate: CaseIterable, Sendable {
    /// `datamonk_sum(x)` of whole numbers: the nearest double where 64 bits do not hold the sum; SUM() fails there.
    case wholeSum
    /// `datamonk_sum_decimal(x)`: the exact sum, as text.
    case decimalSum
    /// `datamonk_avg_decimal(x)`: the exact mean, as text.
    case decimalAverage
    /// `datamonk_stddev(x)`: the standard deviation of a population.
    case standardDeviation
    /// `datamonk_median(x)` of whole numbers.
    case wholeMedian
    /// `datamonk_median_real(x)` of doubles and dates.
    case realMedian
    /// `datamonk_median_decimal(x)`, as text.
    case decimalMedian

    /// The aggregate's name in SQL.
    package var name: String {
        switch self {
        case .wholeSum: "datamonk_sum"
        case .decimalSum: "datamonk_sum_decimal"
        case .decimalAverage: "datamonk_avg_decimal"
        case .standardDeviation: "datamonk_stddev"
        case .wholeMedian: "datamonk_median"
        case .realMedian: "datamonk_median_real"
        case .decimalMedian: "datamonk_median_decimal"
        }
    }

    package var argumentCount: Int { 1 }

    /// The state for one group of rows.
    package func makeState() -> State { State(self) }
}

extension SQLAggregate {
    /// **Confined.** A figure over the rows of one group.
    package final class State {
        private let aggregate: SQLAggregate
        private var figure: Figure

        fileprivate init(_ aggregate: SQLAggregate) {
            self.aggregate = aggregate
            figure = Figure(aggregate.function)
        }

        /// Takes the value of one row.
        package func step<Call: SQLFunctionCall & ~Copyable>(_ call: borrowing Call) {
            figure.add(aggregate.number(call.managedValue(at: 0)))
        }

        /// Gives the figure after the last row; NULL of no values.
        package func finish<Call: SQLFunctionCall & ~Copyable>(_ call: borrowing Call) throws {
            let result =
                switch aggregate {
                // A deviation is rounded anyway; as a number it can be compared and sorted as it is.
                case .standardDeviation, .wholeSum: figure.operatorValue
                default: try figure.result()
                }
            switch result {
            case .int(let number): call.returnValue(number)
            case .double(let number): call.returnValue(number)
            case .decimal(let number): call.returnValue(number.description)
            default: call.returnNull()
            }
        }
    }

    private var function: FetchRequest.Selection.Function {
        switch self {
        case .decimalSum, .wholeSum: .sum
        case .decimalAverage: .average
        case .standardDeviation: .standardDeviation
        case .wholeMedian, .realMedian, .decimalMedian: .median
        }
    }

    /// The value in the kind that the figure is made of: a database keeps whole doubles and decimals as integers.
    private func number(_ value: ManagedValue) -> ManagedValue {
        switch (self, value) {
        case (.decimalSum, .int(let number)), (.decimalAverage, .int(let number)), (.decimalMedian, .int(let number)):
            .decimal(Decimal(number))
        case (.decimalSum, .double(let number)), (.decimalAverage, .double(let number)),
            (.decimalMedian, .double(let number)):
            .decimal(nearest: number)
        case (.decimalSum, .string(let text)), (.decimalAverage, .string(let text)),
            (.decimalMedian, .string(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? .null
        case (.realMedian, .int(let number)): .double(Double(number))
        case (_, .int), (_, .double): value
        default: .null
        }
    }
}

@available(*, unavailable)
extension SQLAggregate.State: Sendable {}
