/// **Value.** Everything that a list of packages says, linked: the graph that a store is to hold.
///
/// It follows from the records alone, not from the order in which they were read: however many tasks write it, the
/// result is the same.
public struct PackageGraph: Sendable {
    /// **Value.** A package of the list, or a name that is only mentioned.
    public struct Node: Sendable {
        /// Name and architecture: `libc6:amd64`; the bare name where no architecture is known.
        public let key: String
        /// The package's name.
        public let name: String
        /// The package's architecture; empty where none is known.
        public let architecture: String
        /// Whether packages stand for it.
        public var isProvided = false
        /// Nil for a name that is only mentioned.
        public let record: PackageRecord?
        /// The versions that the list names, the record's among them.
        public var versions: Set<String> = []
        /// The keys of all packages that its dependencies name, alternatives included.
        public var dependencies: Set<String> = []
        /// The keys of the names that it stands for.
        public var provides: Set<String> = []
    }

    /// Sorted by key.
    public let nodes: [Node]

    /// Links the records. Of several with one name and architecture, the one with the latest version counts.
    public init(_ records: [PackageRecord]) {
        var builder = PackageGraphBuilder(records)
        nodes = builder.build()
    }

    /// The sections of all packages.
    public var sections: Set<String> {
        Set(nodes.compactMap(\.record?.section))
    }

    /// The maintainers of all packages.
    public var maintainers: Set<String> {
        Set(nodes.compactMap(\.record?.maintainer))
    }
}
