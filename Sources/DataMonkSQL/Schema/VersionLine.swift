/// **Value.** The versions that a store was migrated from and to, oldest first, each identified by the checksum of its
/// hashes.
///
/// A store that was never migrated has none recorded: its version is in its hashes. If another framework has migrated a
/// store to a version outside the line, that version is later than all of the line.
struct VersionLine {
    /// The versions, without duplicates.
    private(set) var versions: [String]

    init(_ versions: [String]) { self.versions = versions }

    /// Returns `true` if a store of one version was migrated from another.
    func isVersion(_ version: String, laterThan other: String) -> Bool {
        guard let place = versions.firstIndex(of: other) else { return false }
        return place < versions.firstIndex(of: version) ?? versions.endIndex
    }

    /// Records a migration. Versions after either of the two are cut off: the line continues from there.
    ///
    /// - Parameter isForward: Indicates whether the new version is known to be later, whatever the line says.
    mutating func migrate(from old: String, to new: String, isForward: Bool = false) {
        if isForward { versions.removeAll { $0 == new } }
        append(old)
        append(new)
    }

    private mutating func append(_ version: String) {
        let end = versions.firstIndex(of: version) ?? versions.endIndex
        versions.removeSubrange(end...)
        versions.append(version)
    }
}
