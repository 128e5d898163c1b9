import DataMonk
import DebianPackages

/// **Value.** The ids of what many packages share.
struct SharedObjects: Sendable {
    let sections: [String: ObjectID<Section>]
    let maintainers: [String: ObjectID<Maintainer>]

    /// Creates the sections and maintainers that are not there yet.
    static func write(_ graph: PackageGraph, in context: Context) async throws -> SharedObjects {
        let (sectionNames, maintainerNames) = (graph.sections, graph.maintainers)
        return try await context.update { update in
            var sections = try update.fetchAll(Section.self).keyed(by: \.name)
            for name in sectionNames where sections[name] == nil {
                let section = try update.create(Section.self)
                section.name = name
                sections[name] = section
            }
            var maintainers = try update.fetchAll(Maintainer.self).keyed(by: \.name)
            for name in maintainerNames where maintainers[name] == nil {
                let maintainer = try update.create(Maintainer.self)
                maintainer.name = name
                maintainers[name] = maintainer
            }
            if update.hasChanges { try update.commit() }
            // Only now: an object has an id that others can use once it was committed.
            return SharedObjects(
                sections: sections.mapValues(\.objectID), maintainers: maintainers.mapValues(\.objectID))
        }
    }
}

extension Update {
    /// This update's objects for some of many ids, by the same keys; keys without an id are left out.
    ///
    /// - Complexity: one SELECT for each thousand ids, where `use` for one id after the other would run one for each.
    func use<Key: Hashable, Object: ManagedObject>(
        _ ids: [Key: ObjectID<Object>], of keys: some Sequence<Key>
    ) throws -> [Key: Object] {
        let wanted = Set(keys).compactMap { key in ids[key].map { (key, $0) } }
        return Dictionary(uniqueKeysWithValues: zip(wanted.map(\.0), try use(wanted.map(\.1))))
    }
}

extension Sequence {
    /// The elements by a value that each of them has alone.
    func keyed<Key: Hashable>(by key: (Element) -> Key) -> [Key: Element] {
        Dictionary(map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
