package import DataMonkCore

/// **Confined.** Objects of ``QueryModel`` with values determined by a seed: `nil`, equal values, text in several spellings,
/// and links of every shape.
package final class QueryGraph {
    package let model: ManagedObjectModel
    package private(set) var objects: [QueryObject] = []
    package let directory: ObjectDirectory

    /// Creates a graph.
    ///
    /// - Parameter people: The number of people. There are only a few departments and teams.
    package init(people: Int, using generator: inout SeededGenerator) throws {
        model = try QueryModel.make()
        directory = ObjectDirectory(model: model)
        let departments = (1...3).map { make("Department", primaryKey: $0) }
        let teams = (1...4).map { make("Team", primaryKey: $0) }
        var persons: [QueryObject] = []
        for key in 0..<people {
            persons.append(make(Bool.random(using: &generator) ? "Person" : "Monk", primaryKey: key + 1))
        }
        for object in objects {
            for attribute in object.entity.attributes where !attribute.isTransient {
                object.values[attribute.slot] = QueryValues.random(attribute, using: &generator)
            }
        }
        departments[1].link("parent", to: departments[0])
        for person in persons {
            if Int.random(in: 0..<3, using: &generator) > 0, let friend = persons.randomElement(using: &generator) {
                person.link("friend", to: friend)
            }
            if Int.random(in: 0..<4, using: &generator) > 0 {
                person.link("department", to: departments[Int.random(in: 0..<2, using: &generator)])
            }
            for team in teams.dropLast() where Int.random(in: 0..<3, using: &generator) == 0 {
                person.link("teams", to: team)
            }
            for mentor in persons.shuffled(using: &generator).prefix(Int.random(in: 0..<4, using: &generator)) {
                person.link("mentors", to: mentor)
            }
        }
        // Not in the order of keys.
        for person in persons.shuffled(using: &generator) where Bool.random(using: &generator) {
            person.link("queuedAt", to: departments[Int.random(in: 0..<2, using: &generator)])
        }
    }

    private func make(_ name: String, primaryKey: Int) -> QueryObject {
        guard let entity = model.entitiesByName[name] else { preconditionFailure("No entity \(name)") }
        let object = QueryObject(entity, primaryKey: Int64(primaryKey))
        objects.append(object)
        return object
    }

    /// Returns the objects of an entity and its sub-entities, in the order of their keys.
    package func objects(of entity: Entity) -> [QueryObject] {
        objects.filter { $0.entity.isKind(of: entity) }
            .sorted { $0.objectKey.primaryKey < $1.objectKey.primaryKey }
    }
}

@available(*, unavailable)
extension QueryGraph: Sendable {}
