import Foundation

// What is worked out goes on to the next calculation, into comparisons and into columns in one form, in memory as in a
// database: as a column holds it, which knows whole numbers of 64 bits, doubles and texts. So both give the same answer to
// the last digit, because they do the same.

extension ManagedValue {
    /// The value as it is carried on: a Bool is 0 or 1, a decimal a whole number of 64 bits or else the nearest double.
    /// What is no number stays as it is.
    package var carried: ManagedValue {
        switch self {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .decimal(let number):
            if number.isNaN { .null } else { number.wholeValue.map { .int($0) } ?? .double(number.doubleValue) }
        default: self
        }
    }
}

extension ValueKind {
    /// What a calculation takes for a value of the kind that was carried to it.
    ///
    /// A whole number that no double holds, a fraction among whole numbers, and a double beyond the range of decimals stay
    /// what they are.
    package func operand(_ carried: ManagedValue) -> ManagedValue {
        switch (self, carried) {
        case (.boolean, .double), (.integer, .double), (.floating, .int): coerce(carried) ?? carried
        case (.decimal, .int(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): .decimal(nearest: number)
        case (.date, .int(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        default: carried
        }
    }

    /// What a column shows for a value of the kind.
    package func column(_ carried: ManagedValue) -> ManagedValue {
        if self == .boolean, case .int(let number) = carried { .bool(number != 0) } else { operand(carried) }
    }

    /// The value as it is carried on; one without a type never meets a database, and stays as it is.
    func carry(_ value: ManagedValue) -> ManagedValue { self == .dynamic ? value : value.carried }
}

extension ResolvedExpression {
    /// The kind of operand that it is.
    package var operandKind: ValueKind {
        if case .constant(let value) = self { ValueKind(value) ?? .dynamic } else { kind ?? .dynamic }
    }
}

extension ResolvedCalculation {
    /// The value, carried on.
    ///
    /// - Parameter value: The value of an operand.
    func value(
        _ value: (ResolvedExpression) throws(FetchError) -> ManagedValue
    ) throws(FetchError) -> ManagedValue {
        var values: [ManagedValue] = []
        values.reserveCapacity(operands.count)
        for operand in operands {
            let kind = operand.operandKind
            values.append(kind.operand(kind.carry(try value(operand))))
        }
        return kind.carry(Calculation.value(of: function, values))
    }
}
