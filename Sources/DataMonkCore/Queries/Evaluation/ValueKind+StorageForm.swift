import Foundation

// Calculated values reach further calculations, comparisons and columns in storage form, the form in which a database
// column holds them:
//
//     Bool       0 or 1
//     Decimal    a 64-bit integer if it is one, else the nearest double; null for NaN
//     others     unchanged
//
// `storageForm` and `storageForm(of:)` convert a value to storage form. `operand(_:)` converts it back for a calculation,
// and `column(_:)` for a column of a result. Memory and database take the same steps, so their results agree to the last digit.

extension ManagedValue {
    /// The value in storage form: a Bool is 0 or 1; a decimal is a 64-bit integer, or else the nearest double. Values that
    /// are not numbers stay as they are.
    package var storageForm: ManagedValue {
        switch self {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .decimal(let number):
            if number.isNaN { .null } else { number.wholeValue.map { .int($0) } ?? .double(number.doubleValue) }
        default: self
        }
    }
}

extension ValueKind {
    /// Returns the operand of a calculation for a value of this kind in storage form.
    ///
    /// An integer that no double represents exactly, a fraction among integers, and a double beyond the range of decimals
    /// stay as they are.
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

    /// Returns the value that a column shows for a value of this kind in storage form.
    package func column(_ carried: ManagedValue) -> ManagedValue {
        if self == .boolean, case .int(let number) = carried { .bool(number != 0) } else { operand(carried) }
    }

    /// Returns the value in storage form. A value without a type never reaches a database, and stays as it is.
    func storageForm(of value: ManagedValue) -> ManagedValue { self == .dynamic ? value : value.storageForm }
}

extension ResolvedExpression {
    /// The kind of the expression as an operand.
    package var operandKind: ValueKind {
        if case .constant(let value) = self { ValueKind(value) ?? .dynamic } else { kind ?? .dynamic }
    }
}

extension ResolvedCalculation {
    /// Returns the result in storage form.
    ///
    /// - Parameter value: Returns the value of an operand.
    func value(
        _ value: (ResolvedExpression) throws(FetchError) -> ManagedValue
    ) throws(FetchError) -> ManagedValue {
        let values = try operands.map { operand throws(FetchError) in
            let kind = operand.operandKind
            return kind.operand(kind.storageForm(of: try value(operand)))
        }
        return kind.storageForm(of: Calculation.value(of: function, values))
    }
}
