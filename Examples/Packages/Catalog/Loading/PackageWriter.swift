import DataMonk
import DebianPackages

/// **Confined.** Writes a batch's packages, without their links.
struct PackageWriter {
    private let update: Update
    private let batch: PackageBatch
    private let sections: [String: Section]
    private let maintainers: [String: Maintainer]

    init(update: Update, batch: PackageBatch, shared: SharedObjects) throws {
        self.update = update
        self.batch = batch
        let records = batch.nodes.compactMap(\.record)
        sections = try update.use(shared.sections, of: records.compactMap(\.section))
        maintainers = try update.use(shared.maintainers, of: records.compactMap(\.maintainer))
    }

    func write() throws -> WrittenPackages {
        let options = QueryOptions.Prefetch(["versions"])
        var existing = try update.fetchAll(Package.self, batch.query, options: options).keyed(by: \.key)
        var packages: [String: Package] = [:]
        var (created, updated) = (Set<String>(), Set<String>())
        for node in batch.nodes {
            let package: Package
            if let found = existing.removeValue(forKey: node.key) {
                package = found
                if try write(node, to: package) { updated.insert(node.key) }
            } else {
                package = try update.create(Package.self)
                _ = try write(node, to: package)
                created.insert(node.key)
            }
            packages[node.key] = package
        }
        if update.hasChanges { try update.commit() }
        return WrittenPackages(
            ids: packages.mapValues(\.objectID), created: created, updated: updated,
            stale: existing.values.map(\.objectID))
    }

    /// - Returns: whether anything was different.
    private func write(_ node: PackageGraph.Node, to package: Package) throws -> Bool {
        var changes = ChangeCount()
        changes.set(package, \.key, to: node.key)
        changes.set(package, \.name, to: node.name)
        changes.set(package, \.architecture, to: node.architecture)
        changes.set(package, \.state, to: PackageState(node))
        changes.set(package, \.installedSize, to: node.record?.installedSize ?? 0)
        changes.set(package, \.summary, to: node.record?.summary ?? "")
        changes.set(package, \.section, to: node.record?.section.flatMap { sections[$0] })
        changes.set(package, \.maintainer, to: node.record?.maintainer.flatMap { maintainers[$0] })
        try writeVersions(node, of: package, &changes)
        return changes.count > 0
    }

    private func writeVersions(_ node: PackageGraph.Node, of package: Package, _ changes: inout ChangeCount) throws {
        var existing = package.versions.keyed(by: \.number)
        for number in node.versions {
            let version = try existing.removeValue(forKey: number) ?? update.create(Version.self)
            changes.set(version, \.number, to: number)
            changes.set(version, \.isCurrent, to: number == node.record?.version)
            changes.set(version, \.package, to: package)
        }
        for version in existing.values {
            try update.delete(version)
            changes.count += 1
        }
    }
}

/// **Value.** Sets properties that are to have another value, and counts them. Setting an equal one would make the object
/// a changed one, and its row would be written.
struct ChangeCount {
    var count = 0

    mutating func set<Object: ManagedObject, Value: Equatable>(
        _ object: Object, _ property: ReferenceWritableKeyPath<Object, Value>, to value: Value
    ) {
        if object[keyPath: property] == value { return }
        object[keyPath: property] = value
        count += 1
    }
}
