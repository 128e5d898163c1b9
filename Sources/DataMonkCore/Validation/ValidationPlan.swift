/// **Shared.** What is checked of an entity's objects before they are saved: found once, so that an object without rules
/// costs no more than a look at its mandatory values.
final class ValidationPlan: Sendable {
    /// Attributes and to-ones that must hold a value.
    let mandatorySlots: [Int]
    /// Doubles and floats: what is no number has no place in a store.
    let floatingSlots: [Int]
    /// Dates: what is no moment has no place in a store either.
    let dateSlots: [Int]
    /// Decimals, for the same reason.
    let decimalSlots: [Int]
    /// Attributes whose values the model restricts.
    let rules: [AttributeRules]
    /// To-manys with a minimum or maximum count. A required one without a minimum may be empty, as in Core Data.
    let countedToManys: [Entity.Relationship]
    /// Whether the class may have a `validateValue(_:forKey:)` of its own.
    let asksForValues: Bool
    /// The null bits of `mandatorySlots`; of the first 64 slots.
    private let mandatoryBits: UInt64
    /// Whether mandatory values and numbers are all there is to check, in a row of one word of null bits.
    private let isPlain: Bool

    init(_ entity: Entity, _ objectClass: ManagedObject.Type) {
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

    /// Whether a row is all right, as far as a few looks tell: the common case. If not, each value is looked at.
    func isPlainlyMet(by row: UnsafeRawPointer) -> Bool {
        if !isPlain || RowFormat.firstNulls(row) & mandatoryBits != 0 { return false }
        for slot in floatingSlots where Double(bitPattern: RowFormat.word(row, slot)).isNaN { return false }
        for slot in dateSlots where !Double(bitPattern: RowFormat.word(row, slot)).isFinite { return false }
        return true
    }

    func rules(at slot: Int) -> AttributeRules? { rules.first { $0.attribute.slot == slot } }
}

extension ManagedObject {
    /// Whether the class or one above it may override `validateValue`: `@Entity` sees it in the class's source; of a class
    /// without it nobody knows.
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
