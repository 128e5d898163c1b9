import Foundation

/// **Value.** Properties whose values together no two objects may have, and whose objects that concerns.
///
/// A constraint is a column's business: it concerns every object with the properties, so the objects of sub-entities
/// share the constraints of their superentity, and a constraint that a sub-entity puts on what it inherits holds for its
/// superentity too. An object that lacks one of the values is in nobody's way.
package struct UniquenessConstraint: Sendable, Hashable {
    /// The properties' names.
    package let names: [String]
    /// The properties' places in rows, alike in every entity that has them.
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

    /// The constraints that concern objects of an entity.
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

    /// Whether a change may bring a value that is there already.
    package func concerns(_ change: ChangeSet.ObjectChange) -> Bool {
        change.base == nil || slots.contains(where: change.changed.contains)
    }
}

extension EntityLayout {
    /// What a row holds where it must be unique; nil if it lacks one of the values.
    func values(of constraint: UniquenessConstraint, in row: UnsafeRawPointer) -> [ManagedValue]? {
        var values: [ManagedValue] = []
        for slot in constraint.slots {
            if RowFormat.isNull(row, slot) { return nil }
            values.append(comparableValue(slot, row))
        }
        return values
    }

    /// As a store's index compares: text by its bytes.
    private func comparableValue(_ slot: Int, _ row: UnsafeRawPointer) -> ManagedValue {
        switch (kinds[slot], entity.properties[slot].attribute) {
        case (.text, let attribute?) where attribute.type == .decimal: attribute.value(in: row)
        case (.text, _), (.bytes, _): .data(Data(RowFormat.bytes(row, slot)))
        case (.double, _): .double(Double(bitPattern: RowFormat.word(row, slot)))
        case (.integer, _), (.toOne, _), (.toMany, _): .int(Int64(bitPattern: RowFormat.word(row, slot)))
        }
    }
}
