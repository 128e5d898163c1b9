extension ManagedObject {
    /// Adds an amount to a number by name: a change of this context like any other, which grows what the store holds when it
    /// is written.
    ///
    ///     try account.incrementValue(forKey: "balance", by: .int(1))
    ///     try context.save()                          // balance + 1, whoever else has changed it since it was read
    ///
    /// If the object has no other unsaved values, the save meets no conflict: the sum is formed inside the store's
    /// transaction, over the values stored there, and the object has them afterwards. Beside other changes of the object the
    /// merge policy decides about those, and the amount goes onto the stored value. An attribute that was set since the last
    /// save, of a new object or transient, is set once more.
    ///
    /// An attribute without a value begins at its default.
    ///
    /// - Parameter amount: a number of the attribute's kind; a whole number or a double for a decimal.
    /// - Throws: ``FetchError``: `noValueToIncrement` if there is neither a value nor a default, `numberOutOfRange` if the
    ///   attribute cannot hold the sum, `typeMismatch` for what is no number, `unknownKey`, `derivedAttribute`,
    ///   `objectIsDeleted`, `objectIsInvalidated`; what ``fault()`` throws. The save throws ``SaveError`` with the code
    ///   `numberTooLarge` or `numberTooSmall` if the attribute cannot hold what the store's value comes to, or the model does
    ///   not allow it.
    public final nonisolated func incrementValue(forKey key: String, by amount: ManagedValue) throws {
        try requireMembership()
        let property = try property(named: key)
        guard let attribute = property.attribute, attribute.type.isNumeric, attribute.position == nil else {
            throw FetchError.notIncrementable(key, of: entity)
        }
        if attribute.isDerived { throw FetchError.derivedAttribute(attribute) }
        guard let number = attribute.amount(amount) else {
            throw FetchError.wrongValue(amount, for: attribute, of: entity)
        }
        if state.contains(.deleted) { throw FetchError.incrementOfDeleted(attribute, of: anyObjectID) }
        try fault()
        if grow(attribute.slot, by: number) { return }
        guard let row, attribute.addend(in: row) != nil else {
            throw FetchError.noValueToIncrement(attribute, of: anyObjectID)
        }
        throw FetchError.numberOutOfRange(attribute, of: anyObjectID)
    }

    /// Adds an amount to an attribute. Returns false, and changes nothing, if it cannot hold the sum.
    final nonisolated func grow(_ slot: Int, by amount: ManagedValue) -> Bool {
        guard canGrow(slot, by: amount), let growth = growth(slot, by: amount) else { return false }
        let draft = writableDraft
        _ = home.layout.writeSum(slot, of: growth.row, and: growth.amount, to: draft)
        if growth.isNoted {
            draft.increments = draft.increments ?? Increments()
            draft.increments?[slot] = growth.amount
        } else {
            draft.increments?[slot] = nil
        }
        row = UnsafeRawPointer(draft.row)
        state.insert(.written)
        return true
    }

    /// Returns whether an attribute can hold the sum of its value and an amount.
    final nonisolated func canGrow(_ slot: Int, by amount: ManagedValue) -> Bool {
        guard let attribute = entity.properties[slot].attribute, let growth = growth(slot, by: amount),
            let addend = attribute.addend(in: growth.row)
        else { return false }
        return attribute.sum(addend, growth.amount) != nil
    }

    /// Returns the operands of an increment: the base of the draft and all amounts so far, or a value that was set.
    private nonisolated func growth(
        _ slot: Int, by amount: ManagedValue
    ) -> (row: UnsafeRawPointer, amount: ManagedValue, isNoted: Bool)? {
        guard let row, let attribute = entity.properties[slot].attribute else { return nil }
        if isInserted || attribute.isTransient { return (row, amount, false) }
        guard let draft, let base = draft.base else { return (row, amount, true) }
        if let noted = home.layout.increments(of: draft)?[slot] {
            return attribute.sumOfAmounts(noted, amount).map { (base.pointer, $0, true) }
        }
        return (row, amount, home.layout.isEqual(slot, in: row, and: base.pointer))
    }
}

extension FetchError {
    fileprivate static func notIncrementable(_ key: String, of entity: Entity) -> FetchError {
        FetchError(
            .typeMismatch, "\(entity.name).\(key) is not a number. Only numeric attributes can be incremented.",
            entityName: entity.name, keyPath: key)
    }

    fileprivate static func incrementOfDeleted(_ attribute: Entity.Attribute, of id: AnyObjectID) -> FetchError {
        FetchError(
            .objectIsDeleted,
            """
            \(id.entityName).\(attribute.name) cannot be incremented, because the object will be deleted by the next \
            commit. Increment another object, or undo the deletion with rollback().
            """, entityName: id.entityName, keyPath: attribute.name, objectID: id)
    }

    fileprivate static func noValueToIncrement(_ attribute: Entity.Attribute, of id: AnyObjectID) -> FetchError {
        FetchError(
            .noValueToIncrement,
            """
            \(id.entityName).\(attribute.name) has no value to increment, and the model has no default value for it. \
            Set it first, or give it a default value.
            """, entityName: id.entityName, keyPath: attribute.name, objectID: id)
    }

    fileprivate static func numberOutOfRange(_ attribute: Entity.Attribute, of id: AnyObjectID) -> FetchError {
        FetchError(
            .numberOutOfRange,
            """
            \(id.entityName).\(attribute.name) holds \(attribute.type), which cannot represent the sum of its value \
            and the amount. Use a smaller amount, or give the attribute a larger type.
            """, entityName: id.entityName, keyPath: attribute.name, objectID: id)
    }
}
