import DataMonk
import DebianPackages

/// **Confined.** Links a batch's packages to those that they need and stand for.
struct LinkWriter {
    /// **Value.** What was linked.
    struct Links: Sendable {
        /// How many dependencies the packages have.
        let count: Int
        /// The keys of the packages whose links were different.
        let changed: Set<String>
    }

    let update: Update
    /// The ids of all packages, by key.
    let packages: [String: ObjectID<Package>]

    func write(_ batch: PackageBatch) throws -> Links {
        let options = QueryOptions.Prefetch(["dependencies", "provides"])
        let existing = try update.fetchAll(Package.self, batch.query, options: options).keyed(by: \.key)
        let different = batch.nodes.compactMap { node -> (node: PackageGraph.Node, package: Package)? in
            guard let package = existing[node.key], !isLinked(package, as: node) else { return nil }
            return (node, package)
        }
        // What the new links lead to, all at once.
        let ends = try update.use(packages, of: different.flatMap { $0.node.dependencies.union($0.node.provides) })
        for (node, package) in different {
            package.dependencies = Set(node.dependencies.compactMap { ends[$0] })
            package.provides = Set(node.provides.compactMap { ends[$0] })
        }
        if update.hasChanges { try update.commit() }
        return Links(
            count: batch.nodes.reduce(0) { $0 + $1.dependencies.count }, changed: Set(different.map(\.node.key)))
    }

    private func isLinked(_ package: Package, as node: PackageGraph.Node) -> Bool {
        isLinked(package.dependencies, to: node.dependencies) && isLinked(package.provides, to: node.provides)
    }

    /// Whether packages are those with some keys. Looks at ids alone, so that none of them is loaded.
    private func isLinked(_ linked: Set<Package>, to keys: Set<String>) -> Bool {
        linked.count == keys.count && Set(linked.map(\.objectID)) == Set(keys.compactMap { packages[$0] })
    }
}
