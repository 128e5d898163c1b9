import DataMonk

/// **Confined.** Questions to the graph, within one read: all answers are of one moment.
struct PackageAnswers {
    let reader: Reader
    /// The packages that count: the installed ones or, where none is installed, those of the list.
    let population: PackageState

    init(reader: Reader) throws {
        self.reader = reader
        let hasInstalled = try reader.count(Package.self, %"state" == PackageState.installed) > 0
        population = hasInstalled ? .installed : .listed
    }

    private var isCounted: Query {
        %"state" == population
    }

    /// How many packages there are of each state.
    func counts() throws -> [PackageState: Int] {
        var counts: [PackageState: Int] = [:]
        for state in PackageState.allCases {
            counts[state] = try reader.count(Package.self, %"state" == state)
        }
        return counts
    }

    /// The size of all packages together, in KiB.
    func totalSize() throws -> Int {
        Int(managedValue: try reader.queryValue(Package.self, .Sum("installedSize"), isCounted)) ?? 0
    }

    /// Sections with the size of their packages in KiB, the largest first.
    func sizeBySection() throws -> [(section: String, size: Int, count: Int)] {
        let rows = try reader.query(
            Package.self,
            .Select("section.name") | .Sum("installedSize", alias: "size") | .Count("key", alias: "count"),
            isCounted, groupBy: %"section.name")
        let sizes = rows.map { row in
            (
                section: String(managedValue: row["section.name"] ?? nil) ?? "(none)",
                size: Int(managedValue: row["size"] ?? nil) ?? 0,
                count: Int(managedValue: row["count"] ?? nil) ?? 0
            )
        }
        return sizes.sorted { ($1.size, $0.section) < ($0.size, $1.section) }
    }

    /// The maintainers with most packages.
    func maintainers(limit: Int) throws -> [(maintainer: String, count: Int)] {
        let rows = try reader.query(
            Package.self, .Select("maintainer.name") | .Count("key", alias: "count"), isCounted,
            orderBy: .Descending("count") | .Ascending("maintainer.name"), groupBy: %"maintainer.name",
            options: .Limit(limit))
        return rows.map { row in
            (
                maintainer: String(managedValue: row["maintainer.name"] ?? nil) ?? "(none)",
                count: Int(managedValue: row["count"] ?? nil) ?? 0
            )
        }
    }

    /// The packages called `name`, one for each architecture; or the one with that key.
    ///
    /// - Throws: ``UnknownPackage`` if there is none.
    func packages(named name: String) throws -> [Package] {
        let found = try reader.fetchAll(Package.self, %"name" == name || %"key" == name, orderBy: .Ascending("key"))
        if found.isEmpty { throw UnknownPackage(name: name) }
        return found
    }

    /// Everything that a relationship leads to, through any number of packages, without the packages themselves.
    ///
    /// - Complexity: one query for each step away from the packages, however many there are.
    func reached(
        from packages: [Package], by relationship: KeyPath<Package, Set<Package>>
    ) -> (directly: Set<Package>, inAll: Set<Package>) {
        let directly = Set(packages.flatMap { $0[keyPath: relationship] }).subtracting(packages)
        var (reached, frontier) = (directly, directly)
        while !frontier.isEmpty {
            frontier = Set(frontier.flatMap { $0[keyPath: relationship] }).subtracting(reached).subtracting(packages)
            reached.formUnion(frontier)
        }
        return (directly, reached)
    }
}

/// **Value.** A question about a package that nobody mentions.
struct UnknownPackage: Error, CustomStringConvertible {
    let name: String

    var description: String { "No package of the list has or mentions the name \(name)." }
}
