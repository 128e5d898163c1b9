import DataMonk
import DebianPackages

/// **Confined.** Links a batch's packages to those that they need and stand for.
struct LinkWriter {
    /// **Value.** What was linked.
    struct Links: Sendable {
        /// How many dependencies the packages have.
        var count = 0
        /// The keys of the packages whose links were different.
        var changed: Set<String> = []
    }

    let update: Update
    /// The ids of all packages, by key.
    let packages: [String: ObjectID<Package>]

    func write(_ batch: PackageBatch) throws -> Links {
        let options = QueryOptions.Prefetch(["dependencies", "provides"])
        let existing = try update.fetchAll(Package.self, batch.query, options: options).keyed(by: \.key)
        var links = Links()
        for node in batch.nodes {
            guard let package = existing[node.key] else { continue }
            links.count += node.dependencies.count
            let dependenciesChanged = try set(\.dependencies, of: package, to: node.dependencies)
            let providesChanged = try set(\.provides, of: package, to: node.provides)
            if dependenciesChanged || providesChanged { links.changed.insert(node.key) }
        }
        if update.hasChanges { try update.commit() }
        return links
    }

    /// - Returns: whether the links were different.
    private func set(
        _ relationship: ReferenceWritableKeyPath<Package, Set<Package>>, of package: Package, to keys: Set<String>
    ) throws -> Bool {
        let ids = keys.compactMap { packages[$0] }
        if Set(package[keyPath: relationship].map(\.objectID)) == Set(ids) { return false }
        package[keyPath: relationship] = Set(try update.use(ids))
        return true
    }
}
