/// **Shared.** The checks of an entity's objects before they are saved. Computed once, so that an object without rules costs
/// only a check of its required values.
final class ValidationPlan: Sendable {
    /// The attributes and to-one relationships that require a value.
    let mandatorySlots: [Int]
    /// The doubles and floats: a store cannot represent NaN.
    let floatingSlots: [Int]
    /// The dates: a store cannot represent an infinite date or NaN.
    let dateSlots: [Int]
    /// The decimals, for the same reason.
    let decimalSlots: [Int]
    /// The attributes whose values the model restricts.
    let rules: [AttributeRules]
    /// The to-many relationships with a minimum or maximum count. A required one without a minimum may be empty, as in Core
    /// Data.
    let countedToManys: [Entity.Relationship]
    /// A Boolean value indicating whether the class may override `validateValue(_:forKey:)`.
    let asksForValues: Bool
    /// The null bits of `mandatorySlots`, for the first 64 slots.
    private let mandatoryBits: UInt64
    /// A Boolean value indicating whether required values and numbers are all there is to check, in a row with one word of
    /// null bits.
    private let isPlain: Bool

    init(entity: Entity, objectClass: ManagedObject.Type) {
        mandatorySlots = entity.properties.filter { property in
            !property.isOptional && !property.isTransient && property.relationship?.isToMany != true
                && property.attribute?.isDerived != true
        }.map(\.slot)
        let stored = entity.attributes.filter { !$0.isTransient && !$0.isDerived }
        floatingSlots = stored.filter { $0.type == .double || $0.type == .float }.map(\.slot)
        dateSlots = stored.filter { $0.type == .date }.map(\.slot)
        decimalSlots = stored.filter { $0.type == .decimal }.map(\.slot)
        rules = entity.attributes.filter { !$0.isDerived }.compactMap { AttributeRules($0, of: entity) }
        countedToManys = entity.relationships.filter { relationship in
            relationship.isToMany && !relationship.isTransient
                && (relationship.minCount > 0 || relationship.maxCount > 0)
        }
        asksForValues = objectClass.mayValidateValues
        mandatoryBits = mandatorySlots.reduce(0) { $0 | 1 &<< UInt64($1 & 63) }
        isPlain =
            !asksForValues && rules.isEmpty && decimalSlots.isEmpty && countedToManys.isEmpty
            && entity.properties.count <= 64
    }

    /// Returns `true` if a quick check finds a row valid, which is the common case. Otherwise each value must be checked.
    func isPlainlyMet(by row: UnsafeRawPointer) -> Bool {
        if !isPlain || RowFormat.firstNulls(row) & mandatoryBits != 0 { return false }
        for slot in floatingSlots where Double(bitPattern: RowFormat.word(in: row, at: slot)).isNaN { return false }
        for slot in dateSlots where !Double(bitPattern: RowFormat.word(in: row, at: slot)).isFinite { return false }
        return true
    }

    func rules(at slot: Int) -> AttributeRules? { rules.first { $0.attribute.slot == slot } }
}

extension ManagedObject {
    /// A Boolean value indicating whether the class or a superclass may override `validateValue`. `@Entity` detects this in
    /// the source; for a class without `@Entity` it is unknown.
    fileprivate static var mayValidateValues: Bool {
        var next: ManagedObject.Type? = self
        while let candidate = next, candidate != ManagedObject.self {
            guard let declaration = candidate.entityDeclaration, declaration.managedObjectClass == candidate,
                !declaration.validatesValues
            else { return true }
            next = _getSuperclass(candidate) as? ManagedObject.Type
        }
        return false
    }
}
