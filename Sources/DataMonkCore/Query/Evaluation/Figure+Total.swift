import Foundation

extension Figure {
    /// **Value.** A running sum in the kind of its values.
    enum Total {
        case none
        case whole(Int64)
        case floating(Double)
        case decimal(Decimal)
        /// Whole numbers went past 64 bits on the way to this sum.
        case overflown(Decimal)

        /// - Parameter asDouble: adds whole numbers as doubles, as a mean of them is computed; decimals stay exact.
        mutating func add(_ value: ManagedValue, asDouble: Bool = false) {
            switch value {
            case .bool(let flag): add(.int(flag ? 1 : 0), asDouble: asDouble)
            case .int(let number): if asDouble { add(Double(number)) } else { add(number) }
            case .double(let number): add(number)
            case .decimal(let number): add(number)
            default: break
            }
        }

        private mutating func add(_ number: Int64) {
            switch self {
            case .none: self = .whole(number)
            case .whole(let sum):
                let (next, overflows) = sum.addingReportingOverflow(number)
                self = overflows ? .overflown(Decimal(sum) + Decimal(number)) : .whole(next)
            case .floating(let sum): self = .floating(sum + Double(number))
            case .decimal(let sum): self = .decimal(sum + Decimal(number))
            case .overflown(let sum): self = .overflown(sum + Decimal(number))
            }
        }

        private mutating func add(_ number: Double) {
            switch self {
            case .none: self = .floating(number)
            case .whole(let sum): self = .floating(Double(sum) + number)
            case .floating(let sum): self = .floating(sum + number)
            case .decimal(let sum), .overflown(let sum):
                self = Decimal(representing: number).map { .decimal(sum + $0) } ?? .floating(sum.doubleValue + number)
            }
        }

        private mutating func add(_ number: Decimal) {
            switch self {
            case .none: self = .decimal(number)
            case .whole(let sum): self = .decimal(Decimal(sum) + number)
            case .floating(let sum):
                self = Decimal(representing: sum).map { .decimal($0 + number) } ?? .floating(sum + number.doubleValue)
            case .decimal(let sum), .overflown(let sum): self = .decimal(sum + number)
            }
        }

        func checked() throws(FetchError) -> Total {
            if case .overflown = self {
                throw FetchError(.overflow, "The sum of the whole numbers does not fit into 64 bits.")
            }
            return self
        }

        func divided(by count: Int) -> Total {
            switch self {
            case .none, .overflown: self
            case .whole(let sum): .floating(Double(sum) / Double(count))
            case .floating(let sum): .floating(sum / Double(count))
            case .decimal(let sum): .decimal(sum / Decimal(count))
            }
        }

        /// Nil for no values. A sum that 64 bits do not hold is the nearest double.
        var value: ManagedValue? {
            switch self {
            case .none: nil
            case .whole(let sum): .int(sum)
            case .floating(let sum): .double(sum)
            case .decimal(let sum): .decimal(sum)
            case .overflown(let sum): sum.wholeValue.map { .int($0) } ?? .double(sum.doubleValue)
            }
        }

        var asDecimal: ManagedValue {
            switch self {
            case .none, .overflown: .null
            case .whole(let sum): .decimal(Decimal(sum))
            case .floating(let sum): .decimal(nearest: sum)
            case .decimal(let sum): .decimal(sum)
            }
        }

        var asDouble: ManagedValue {
            switch self {
            case .none, .overflown: .null
            case .whole(let sum): .double(Double(sum))
            case .floating(let sum): .double(sum)
            case .decimal(let sum): .double(sum.doubleValue)
            }
        }
    }
}

extension ManagedValue {
    /// A decimal, or the double itself where it is beyond the range of decimals.
    package static func decimal(nearest number: Double) -> ManagedValue {
        Decimal(representing: number).map { .decimal($0) } ?? .double(number)
    }
}
