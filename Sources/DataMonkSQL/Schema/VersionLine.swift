/// **Value.** The versions that a store was migrated from and to, the oldest first, each by the checksum of its hashes.
///
/// A store that was never migrated remembers none: its version is in its hashes. A store that another framework has
/// migrated to a version outside of the line is later than all of it.
struct VersionLine {
    /// No version stands there twice.
    private(set) var versions: [String]

    init(_ versions: [String]) { self.versions = versions }

    /// Whether a store of one version came from another.
    func isVersion(_ version: String, laterThan other: String) -> Bool {
        guard let place = versions.firstIndex(of: other) else { return false }
        return place < versions.firstIndex(of: version) ?? versions.endIndex
    }

    /// Remembers a migration. What came after either version is cut off: the line goes on from there.
    mutating func migrate(from old: String, to new: String) {
        append(old)
        append(new)
    }

    private mutating func append(_ version: String) {
        let end = versions.firstIndex(of: version) ?? versions.endIndex
        versions.removeSubrange(end...)
        versions.append(version)
    }
}
