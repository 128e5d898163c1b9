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

    mutating func noteEntity(_ name: String, objects: [String]) {
        guard let old = oldNames.removeValue(forKey: name) else { return }
        discarding = [discarding, .entity(old)]
        names.insert(old)
        if !objects.isEmpty { entities.insert(old) }
        for key in losers.keys { losers[key]?.subtract(objects) }
    }

    mutating func rename(_ old: String, _ new: String) {
        oldNames[new] = oldNames.removeValue(forKey: old)
        for (key, objects) in losers {
            losers[key] = Set(
                objects.map { $0.hasPrefix("\(old)/") ? $0.replacing("\(old)/", with: "\(new)/") : $0 })
        }
    }

    /// What a migration must ask for at least: objects, and values other than the default. Links are left out.
    var mustBeNamed: Set<String> { entities.union(losers.filter { !$0.value.isEmpty }.keys) }
}
