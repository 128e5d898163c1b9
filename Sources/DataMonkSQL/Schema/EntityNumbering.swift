package import DataMonkCore

/// **Value.** The numbers that a Core Data store gives to entities: its `Z_ENT`.
///
/// Roots in the order of their names without regard to case, each followed by its sub-entities in the same order, all from
/// 1. So an entity and all below it have numbers in one unbroken range.
package struct EntityNumbering: Sendable {
    /// The entities of the store in the order of their numbers.
    package let entities: [Entity]

    private let numbers: [Int]

    /// - Parameters:
    ///   - members: The entities of the store. A superentity of a member has a number even if it is none itself.
    ///   - count: How many entities the model has.
    init(_ members: [Entity], count: Int) {
        var isNumbered = Array(repeating: false, count: count)
        for entity in members.flatMap({ $0.ancestors + [$0] }) { isNumbered[entity.index] = true }
        let roots = Set(members.map(\.root))
        entities = Self.depthFirst(Array(roots)).filter { isNumbered[$0.index] }
        var numbers = Array(repeating: 0, count: count)
        for (position, entity) in entities.enumerated() { numbers[entity.index] = position + 1 }
        self.numbers = numbers
    }

    private static func depthFirst(_ entities: [Entity]) -> [Entity] {
        let named = entities.map { (entity: $0, name: Array($0.name.lowercased().utf16)) }
        return named.sorted { $0.name.lexicographicallyPrecedes($1.name) }
            .flatMap { [$0.entity] + depthFirst($0.entity.subentities) }
    }

    /// The number of an entity, 0 when the store has no such entity.
    package func number(of entity: Entity) -> Int { numbers[entity.index] }

    /// The number of the entity at a position of the model, 0 when the store has no such entity.
    package func number(ofEntityAt index: Int) -> Int { numbers[index] }

    /// The entity of a number, nil when the store has no such number: it comes from a file.
    package func entity(numbered number: Int) -> Entity? {
        entities.indices.contains(number - 1) ? entities[number - 1] : nil
    }

    /// Whether the store has an entity.
    package func contains(_ entity: Entity) -> Bool { numbers[entity.index] > 0 }

    /// The numbers of an entity and of everything that inherits from it.
    package func familyNumbers(of entity: Entity) -> ClosedRange<Int> {
        let first = number(of: entity)
        let last = entity.family.map { number(of: $0) }.max() ?? first
        return first...max(first, last)
    }
}
