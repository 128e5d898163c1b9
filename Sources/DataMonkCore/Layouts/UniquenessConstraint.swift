import Foundation

/// **Value.** Properties whose combined values must be unique, and the entity whose objects are affected.
///
/// A constraint concerns columns, and thus every object with the properties: the objects of sub-entities share the
/// constraints of their superentity, and a constraint that a sub-entity declares on inherited properties also holds for
/// its superentity. An object that lacks one of the values conflicts with none.
package struct UniquenessConstraint: Sendable, Hashable {
    /// The names of the properties.
    package let names: [String]
    /// The slots of the properties, which are the same in every entity that has them.
    package let slots: [Int]
    /// The topmost entity with all of the properties.
    package let entity: Entity

    private init?(_ names: [String], of declaring: Entity) {
        var topmost = declaring.root
        var slots: [Int] = []
        for name in names {
            guard let property = declaring.propertiesByName[name] else { return nil }
            slots.append(property.slot)
            let owner = (declaring.ancestors + [declaring]).first { $0.propertiesByName[name] != nil } ?? declaring
            if owner.ancestors.count > topmost.ancestors.count { topmost = owner }
        }
        self.names = names
        self.slots = slots
        entity = topmost
    }

    /// Returns the constraints that affect objects of an entity.
    static func all(of entity: Entity) -> [UniquenessConstraint] {
        var constraints: [UniquenessConstraint] = []
        for declaring in entity.root.family {
            for names in declaring.description.uniquenessConstraints {
                guard let constraint = UniquenessConstraint(names, of: declaring), entity.isKind(of: constraint.entity),
                    !constraints.contains(constraint)
                else { continue }
                constraints.append(constraint)
            }
        }
        return constraints
    }
}

extension EntityLayout {
    /// Returns the values of a row that must be unique; `nil` if one of the values is missing.
    func values(of constraint: UniquenessConstraint, in row: UnsafeRawPointer) -> [ManagedValue]? {
        var values: [ManagedValue] = []
        for slot in constraint.slots {
            if RowFormat.isNull(in: row, at: slot) { return nil }
            values.append(comparableValue(slot, in: row))
        }
        return values
    }

    /// Returns a value that compares as in a store's index: text by its bytes.
    private func comparableValue(_ slot: Int, in row: UnsafeRawPointer) -> ManagedValue {
        switch (kinds[slot], entity.properties[slot].attribute) {
        case (.text, let attribute?) where attribute.type == .decimal: attribute.value(in: row)
        case (.text, _), (.bytes, _): .data(Data(RowFormat.bytes(in: row, at: slot)))
        case (.double, _): .double(Double(bitPattern: RowFormat.word(in: row, at: slot)))
        case (.integer, _), (.toOne, _), (.toMany, _): .int(Int64(bitPattern: RowFormat.word(in: row, at: slot)))
        }
    }
}
