import DataMonk

/// What the edits of a sketch take away, by the names of the version before: what a migration must be told, and what it
/// must ask for.
struct MigrationLosses {
    /// What may be discarded.
    private(set) var discarding: DiscardableData = []
    /// The entities and properties that may be named in a refusal, such as `Person` and `Person.name`.
    private(set) var names: Set<String> = []
    /// The objects that lose values, by attribute. Some may go themselves in a later edit.
    private var losers: [String: Set<String>] = [:]
    /// The links that go, as pairs of objects, with the names of the two sides of their relationship.
    private var links: [(names: Set<String>, pairs: [(String, String)])] = []
    /// Entities that went with objects.
    private var entities: Set<String> = []
    /// The names that entities had, by the names that they have.
    private var oldNames: [String: String] = [:]

    init(entities: [String] = []) {
        oldNames = Dictionary(uniqueKeysWithValues: entities.map { ($0, $0) })
    }

    /// Notes that some objects lose a property; of an entity that the version before has not nothing is stored.
    mutating func note(_ property: String, of entity: String, isAttribute: Bool, losers: [String]) {
        guard let old = oldNames[entity] else { return }
        discarding = [discarding, .property(old, property)]
        names.insert("\(old).\(property)")
        if isAttribute { self.losers["\(old).\(property)", default: []].formUnion(losers) }
    }

    /// Notes that links go.
    ///
    /// - Parameter sides: The relationship with the entity that declares it, and its inverse.
    mutating func noteLinks(_ sides: [(entity: String, property: String)], pairs: [(String, String)]) {
        let names = Set(sides.compactMap { side in oldNames[side.entity].map { "\($0).\(side.property)" } })
        for side in sides { note(side.property, of: side.entity, isAttribute: false, losers: []) }
        if !names.isEmpty { links.append((names, pairs)) }
    }

    mutating func noteEntity(_ name: String, objects: [String]) {
        guard let old = oldNames.removeValue(forKey: name) else { return }
        discarding = [discarding, .entity(old)]
        names.insert(old)
        if !objects.isEmpty { entities.insert(old) }
        for key in losers.keys { losers[key]?.subtract(objects) }
        for index in links.indices {
            links[index].pairs.removeAll { objects.contains($0.0) || objects.contains($0.1) }
        }
    }

    mutating func rename(_ old: String, _ new: String) {
        oldNames[new] = oldNames.removeValue(forKey: old)
        func renamed(_ object: String) -> String {
            object.hasPrefix("\(old)/") ? object.replacing("\(old)/", with: "\(new)/") : object
        }
        for (key, objects) in losers { losers[key] = Set(objects.map(renamed)) }
        for index in links.indices {
            links[index].pairs = links[index].pairs.map { (renamed($0.0), renamed($0.1)) }
        }
    }

    /// The data that a migration must ask for at least: objects, and values other than the default.
    var mustBeNamed: Set<String> { entities.union(losers.filter { !$0.value.isEmpty }.keys) }

    /// The links that it must ask for, each by one side of their relationship. Those of removed relationships are left out.
    var linksToBeNamed: [Set<String>] { links.filter { !$0.pairs.isEmpty }.map(\.names) }
}
