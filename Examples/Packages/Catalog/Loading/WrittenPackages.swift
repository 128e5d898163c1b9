import DataMonk

/// **Value.** What became of some packages, by key.
struct WrittenPackages: Sendable {
    /// Every package that is to be there.
    var ids: [String: ObjectID<Package>] = [:]
    var created: Set<String> = []
    var updated: Set<String> = []
    /// Packages in the store that are not listed any more.
    var stale: [ObjectID<Package>] = []

    mutating func formUnion(_ other: WrittenPackages) {
        ids.merge(other.ids) { first, _ in first }
        created.formUnion(other.created)
        updated.formUnion(other.updated)
        stale += other.stale
    }
}
