/// **Value.** What loading changed.
struct LoadResult: Hashable, Sendable {
    let created: Int
    let updated: Int
    let removed: Int
    /// How many dependencies there are between packages.
    let links: Int

    var changedNothing: Bool { created + updated + removed == 0 }
}
