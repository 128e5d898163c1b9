import Foundation

extension AggregateAccumulator {
    /// **Value.** A running sum in the kind of its values that does not depend on their order: integers, decimals and
    /// doubles are summed separately, without loss, and combined at the end.
    struct Total {
        private var whole: Int64?
        /// The sum of integers that overflowed 64 bits.
        private var spilled: Decimal?
        private var decimal: Decimal?
        private var floating: ExactSum?

        mutating func add(_ value: ManagedValue) {
            switch value {
            case .bool(let flag): add(Int64(flag ? 1 : 0))
            case .int(let number): add(number)
            case .double(let number): floating = floating.adding(number)
            case .decimal(let number): decimal = decimal.map { $0 + number } ?? number
            default: break
            }
        }

        private mutating func add(_ number: Int64) {
            let (sum, overflows) = (whole ?? 0).addingReportingOverflow(number)
            if overflows { spilled = (spilled ?? 0) + Decimal(whole ?? 0) }
            whole = overflows ? number : sum
        }

        /// The sum, or `nil` if there are no values. An integer sum that overflows 64 bits is the nearest double.
        var value: ManagedValue? {
            let wholes = whole.map { Decimal($0) + (spilled ?? 0) }
            if let decimal {
                let sum = decimal + (wholes ?? 0)
                guard let double = floating?.value else { return .decimal(sum) }
                return Decimal(representing: double).map { .decimal(sum + $0) } ?? .double(sum.doubleValue + double)
            }
            if var floating {
                if let spilled { floating.add(spilled.doubleValue) }
                if let whole { floating.add(whole) }
                return .double(floating.value)
            }
            if let whole, spilled == nil { return .int(whole) }
            return wholes.map(ManagedValue.decimal)?.storageForm
        }

        /// The sum as selections show it: exact for decimals, and for integers however large.
        var exact: ManagedValue {
            if let spilled, let whole, decimal == nil, floating == nil { return .decimal(spilled + Decimal(whole)) }
            return Self.decimal(value)
        }

        /// Returns the mean: a decimal for decimals, otherwise a double.
        func mean(of count: Int) -> ManagedValue {
            switch value {
            case .decimal(let sum)?: .decimal(sum / Decimal(count))
            case .double(let sum)?: .double(sum / Double(count))
            case .int(let sum)?: .double(Double(sum) / Double(count))
            default: .null
            }
        }

        static func decimal(_ number: ManagedValue?) -> ManagedValue {
            switch number {
            case .int(let number)?: .decimal(Decimal(number))
            case .double(let number)?: .decimal(nearest: number)
            default: number ?? .null
            }
        }
    }
}

extension ExactSum? {
    fileprivate func adding(_ number: Double) -> ExactSum {
        var sum = self ?? ExactSum()
        sum.add(number)
        return sum
    }
}

extension ManagedValue {
    /// Returns a decimal, or the double itself if it is beyond the range of decimals.
    package static func decimal(nearest number: Double) -> ManagedValue {
        Decimal(representing: number).map { .decimal($0) } ?? .double(number)
    }
}
