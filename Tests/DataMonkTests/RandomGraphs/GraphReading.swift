import DataMonk

/// A graph as the engine shows it, read in full through the public API.
struct GraphReading {
    /// What the two sides of a relationship say, where they are kept apart.
    struct Membership: Hashable {
        let owner: Int
        let relation: GraphRelation
    }

    /// Attributes, and to-ones whose object is there.
    private(set) var rows: [Int: ReferenceRow] = [:]
    private(set) var members: [Membership: [Int]] = [:]
    private(set) var objects: [Int: ManagedObject] = [:]

    init(_ context: ManagedObjectContext, _ schema: GraphSchema) throws {
        for entity in context.coordinator.model.entities where entity.superentity == nil {
            for object in try context.fetch(FetchRequest(entityName: entity.name)) {
                let number = try Self.number(of: object)
                if objects[number] != nil { throw Difference("\(number) was fetched twice") }
                objects[number] = object
            }
        }
        for (number, object) in objects { try read(object, number, schema) }
    }

    static func number(of object: ManagedObject) throws -> Int {
        guard case .int(let number) = try object.value(forKey: "number") else {
            throw Difference("a \(object.entity.name) has no number")
        }
        return Int(number)
    }

    private mutating func read(_ object: ManagedObject, _ number: Int, _ schema: GraphSchema) throws {
        let kind = object.entity.name
        var row = ReferenceRow(kind: kind, values: [:])
        for key in schema.attributes[kind] ?? [] { row.values[key] = try object.value(forKey: key) }
        for relation in schema.relations[kind] ?? [] {
            guard let slot = object.entity.relationship(named: relation.name)?.slot else { continue }
            if relation.isToMany {
                let others: [ManagedObject] =
                    relation.isOrdered
                    ? object.property(at: slot) : Array(object.property(at: slot) as Set<ManagedObject>)
                members[Membership(owner: number, relation: relation)] = try others.map(Self.number)
            } else if let other: ManagedObject = object.property(at: slot) {
                // That its row is gone shows when it is read.
                _ = try other.value(forKey: "number")
                if !other.isDeleted { row.toOnes[relation.name] = try Self.number(of: other) }
            }
        }
        rows[number] = row
    }
}

/// The engine and the reference disagree.
struct Difference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
