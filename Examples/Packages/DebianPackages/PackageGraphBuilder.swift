/// **Value.** Finds the packages that names mean.
struct PackageGraphBuilder {
    private var nodes: [String: PackageGraph.Node] = [:]
    /// The records by name: one for each architecture.
    private let recordsByName: [String: [PackageRecord]]
    private let records: [PackageRecord]
    /// All versions of a package, by key.
    private let versions: [String: Set<String>]

    init(_ all: [PackageRecord]) {
        var latest: [String: PackageRecord] = [:]
        var versions: [String: Set<String>] = [:]
        latest.reserveCapacity(all.count)
        versions.reserveCapacity(all.count)
        for record in all {
            if !record.version.isEmpty { versions[record.key, default: []].insert(record.version) }
            if let other = latest[record.key], !record.isPreferred(to: other) { continue }
            latest[record.key] = record
        }
        records = Array(latest.values)
        self.versions = versions
        recordsByName = Dictionary(grouping: records, by: \.name)
    }

    mutating func build() -> [PackageGraph.Node] {
        nodes.reserveCapacity(records.count * 2)
        for record in records {
            nodes[record.key] = PackageGraph.Node(
                key: record.key, name: record.name, architecture: record.architecture, record: record,
                versions: versions[record.key] ?? [])
        }
        for record in records { link(record) }
        return nodes.values.sorted { $0.key < $1.key }
    }

    private mutating func link(_ record: PackageRecord) {
        var dependencies: Set<String> = []
        for alternative in record.dependencies.lazy.flatMap(\.alternatives)
        where alternative.applies(on: record.architecture) {
            dependencies.formUnion(keys(named: alternative, by: record))
        }
        var provides: Set<String> = []
        for alternative in record.provides.lazy.flatMap(\.alternatives) {
            provides.formUnion(keys(named: alternative, by: record))
        }
        // Many packages provide themselves, to say so with a version.
        provides.remove(record.key)
        for key in provides { nodes[key]?.isProvided = true }
        nodes[record.key]?.dependencies = dependencies
        nodes[record.key]?.provides = provides
    }

    /// The packages that a name in a field of `record` means, as dpkg reads it: those of the record's own architecture
    /// or of all; where there are none, those of any other (`Multi-Arch: foreign`, or `name:any`); where there are none
    /// either, the bare name.
    private mutating func keys(named alternative: Dependency.Alternative, by record: PackageRecord) -> [String] {
        let candidates = recordsByName[alternative.name] ?? []
        if let architecture = alternative.qualifier, architecture != "any" {
            let exact = candidates.filter { $0.architecture == architecture || $0.architecture == "all" }
            return exact.isEmpty ? [mention(alternative.name, architecture)] : exact.map(\.key)
        }
        if candidates.isEmpty { return [mention(alternative.name, "")] }
        let near = candidates.filter { $0.architecture == record.architecture || $0.architecture == "all" }
        return (near.isEmpty ? candidates : near).map(\.key)
    }

    /// Makes sure that there is a node for a name without a paragraph, and says its key.
    private mutating func mention(_ name: String, _ architecture: String) -> String {
        let key = PackageRecord.key(name, architecture)
        if nodes[key] == nil {
            nodes[key] = PackageGraph.Node(key: key, name: name, architecture: architecture, record: nil)
        }
        return key
    }
}

extension PackageRecord {
    /// Whether this record, and not the other one of the same package, is the one that counts.
    fileprivate func isPreferred(to other: PackageRecord) -> Bool {
        if isInstalled != other.isInstalled { return isInstalled }
        return DebianVersion(version) > DebianVersion(other.version)
    }
}
