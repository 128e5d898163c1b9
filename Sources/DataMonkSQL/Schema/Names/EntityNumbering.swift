package import DataMonkCore

/// **Value.** The numbers that a Core Data store assigns to entities, its `Z_ENT`.
///
/// Root entities are ordered by name, ignoring case, and each is followed by its sub-entities in the same order. Numbers
/// start at 1. An entity and all of its sub-entities therefore have consecutive numbers. Names that are equal in lower case,
/// as Maß and Maẞ, are ordered by their bytes: numbers are the same in every process.
package struct EntityNumbering: Sendable {
    /// The entities of the store in the order of their numbers.
    package let entities: [Entity]

    private let numbers: [Int]

    /// Numbers the entities of a store.
    ///
    /// - Parameters:
    ///   - members: The entities of the store. A superentity of a member has a number even if it is not a member itself.
    ///   - count: The number of entities in the model.
    package init(_ members: [Entity], count: Int) {
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
        return named.sorted { left, right in
            if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
            return String.precedesInBytes(left.entity.name, right.entity.name)
        }.flatMap { [$0.entity] + depthFirst($0.entity.subentities) }
    }

    /// Returns the number of an entity, or 0 if the store does not contain it.
    package func number(of entity: Entity) -> Int { numbers[entity.index] }

    /// Returns the entity with a number that was read from a file, or `nil` if there is none.
    package func entity(numbered number: Int) -> Entity? {
        number > 0 && number <= entities.count ? entities[number - 1] : nil
    }

    /// Returns `true` if the store contains an entity.
    package func contains(_ entity: Entity) -> Bool { numbers[entity.index] > 0 }

    /// Returns the numbers of an entity and its sub-entities.
    package func familyNumbers(of entity: Entity) -> ClosedRange<Int> {
        let first = number(of: entity)
        let last = entity.family.map { number(of: $0) }.max() ?? first
        return first...max(first, last)
    }
}
