extension Workload {
    /// Every workload, in the order of the tables.
    static let all =
        writes(.normal) + fetches + lookUps + traversals + writes(.full) + [sideBySide] + groupCommits + imports
        + [list] + enrollments + starts + [accessors] + largeUpdates + waitingUpdates + trees
        + deletions + columns + texts + tags + orders + undoing + pictures

    static func named(_ id: String) throws -> Workload {
        guard let workload = all.first(where: { $0.id == id }) else { throw BenchError("no workload \(id)") }
        return workload
    }
}
