import Foundation

// A ManagedValue can be written as `nil` too: where one may be missing, `.none` and `.some` say which is meant.

extension Entity.Attribute {
    /// The value that an amount is added to: that of the row, or the model's default where it holds none.
    func addend(in row: UnsafeRawPointer) -> ManagedValue? {
        let value = value(in: row)
        let addend = value.isNull ? defaultValue : value
        return addend.isNull ? .none : .some(addend)
    }

    /// The sum of two numbers as the attribute holds it; nil if it does not fit, or if one of them is no number.
    func sum(_ left: ManagedValue, _ right: ManagedValue) -> ManagedValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            guard let left = Int64(managedValue: left), let right = Int64(managedValue: right) else { return nil }
            let (sum, overflow) = left.addingReportingOverflow(right)
            return !overflow && accepts(.int(sum)) ? .some(.int(sum)) : .none
        case .double, .float:
            guard let left = Double(managedValue: left), let right = Double(managedValue: right) else { return nil }
            let sum = type == .float ? Double(Float(left + right)) : left + right
            return sum.isFinite ? .some(.double(sum)) : .none
        case .decimal:
            guard let left = Decimal(managedValue: left), let right = Decimal(managedValue: right) else { return nil }
            return (left + right).stored.map { .decimal($0) }
        default: return nil
        }
    }

    /// The sum of two amounts, which may lie outside of the attribute's range: only what it is added to decides.
    func sumOfAmounts(_ left: ManagedValue, _ right: ManagedValue) -> ManagedValue? {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? .none : .some(.int(sum))
        case (.double(let left), .double(let right)): return .double(left + right)
        case (.decimal(let left), .decimal(let right)): return .decimal(left + right)
        default: return nil
        }
    }

    /// An amount in the attribute's kind of number; nil for what is no such number.
    func amount(_ value: ManagedValue) -> ManagedValue? {
        switch (type, value) {
        case (.integer16, .int), (.integer32, .int), (.integer64, .int): value
        case (.double, .double(let number)), (.float, .double(let number)): number.isFinite ? .some(value) : .none
        case (.double, .int(let number)), (.float, .int(let number)): .double(Double(number))
        case (.decimal, .decimal(let number)): number.isStorable ? .some(value) : .none
        case (.decimal, .int(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): Decimal(representing: number).map { .decimal($0) }
        default: nil
        }
    }
}

extension EntityLayout {
    /// The increments of a draft that still count; nil if there is none.
    func increments(of draft: DraftRow) -> Increments? {
        guard let noted = draft.increments, let base = draft.base else { return nil }
        var valid = Increments()
        for (slot, amount) in noted.amounts {
            let isValid =
                sum(slot, of: base.pointer, and: amount).map { value(slot, in: draft) == $0 }
                ?? isRefused(slot, of: draft, over: base)
            if isValid { valid[slot] = amount }
        }
        return valid.amounts.isEmpty ? nil : valid
    }

    /// Returns a slot of a draft whose base does not take its increment, with the amount; nil if there is none.
    func refusedIncrement(of draft: DraftRow) -> (slot: Int, amount: ManagedValue)? {
        guard let noted = draft.increments, let base = draft.base else { return nil }
        let refused = noted.amounts.filter { slot, amount in
            sum(slot, of: base.pointer, and: amount) == nil && isRefused(slot, of: draft, over: base)
        }
        return refused.min { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns whether a slot whose increment has no sum still holds what its base does. Otherwise it was set since.
    private func isRefused(_ slot: Int, of draft: DraftRow, over base: Row) -> Bool {
        isEqual(slot, in: UnsafeRawPointer(draft.row), and: base.pointer)
    }

    private func value(_ slot: Int, in draft: DraftRow) -> ManagedValue? {
        entity.properties[slot].attribute?.value(in: UnsafeRawPointer(draft.row))
    }

    /// The sum of what a slot of a row holds and an amount; nil if the attribute cannot hold it, or the row holds no value.
    private func sum(_ slot: Int, of row: UnsafeRawPointer, and amount: ManagedValue) -> ManagedValue? {
        guard let attribute = entity.properties[slot].attribute, let addend = attribute.addend(in: row) else {
            return nil
        }
        return attribute.sum(addend, amount)
    }

    /// The increments of a draft, to be written: they stand alone if the draft has no other stored changes.
    func incrementsToWrite(of draft: DraftRow) -> Increments? {
        guard var increments = increments(of: draft) else { return nil }
        increments.standAlone = storedChanges(of: draft).isSubset(of: increments.slots)
        return increments
    }

    /// The increments of a draft that started from what another one held, together with those of that one: of slots that
    /// neither has set.
    func increments(of draft: DraftRow, over earlier: DraftRow) -> Increments? {
        guard let base = draft.base, let start = earlier.base else { return nil }
        let (first, second) = (increments(of: earlier), increments(of: draft))
        if first == nil, second == nil { return nil }
        var both = Increments()
        for attribute in entity.attributes {
            let slot = attribute.slot
            switch (first?[slot], second?[slot]) {
            case (let first?, let second?): both[slot] = attribute.sumOfAmounts(first, second)
            case (let first?, nil) where isEqual(slot, in: UnsafeRawPointer(draft.row), and: base.pointer):
                both[slot] = first
            case (nil, let second?) where isEqual(slot, in: UnsafeRawPointer(earlier.row), and: start.pointer):
                both[slot] = second
            default: break
            }
        }
        return both
    }

    /// Returns whether a draft has increments and no other stored changes.
    func incrementsAlone(_ draft: DraftRow) -> Bool { incrementsToWrite(of: draft)?.standAlone == true }

    /// Writes the sum of what a slot of `row` holds and an amount into a draft. Returns false, and changes nothing, if the
    /// attribute cannot hold it, or the row holds no value.
    func writeSum(_ slot: Int, of row: UnsafeRawPointer, and amount: ManagedValue, to draft: DraftRow) -> Bool {
        guard let attribute = entity.properties[slot].attribute, let sum = sum(slot, of: row, and: amount) else {
            return false
        }
        var editor = RowEditor(draft)
        attribute.write(sum, to: &editor)
        return true
    }

    /// Puts increments over a base that has taken the place of another one under a draft. Where there is no sum, the slot
    /// holds what the base does, and the increment is refused.
    func write(_ increments: Increments, over base: Row, to draft: DraftRow) {
        for (slot, amount) in increments.amounts {
            if !writeSum(slot, of: base.pointer, and: amount, to: draft) { copy(slot, from: base.pointer, to: draft) }
        }
        draft.increments = increments
    }
}
