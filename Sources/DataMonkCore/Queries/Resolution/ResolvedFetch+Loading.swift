/// The properties of each object that a fetch of objects loads.
extension ResolvedFetch {
    /// A Boolean value indicating whether values are loaded with the keys. If `false`, the objects are faults.
    package var loadsValues: Bool { request.includesPropertyValues || !request.returnsObjectsAsFaults }

    /// The number of objects read at a time, or `nil` for all at once.
    var batchSize: Int? {
        guard request.fetchBatchSize > 0, request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects else {
            return nil
        }
        return request.fetchBatchSize
    }

    /// Returns the number of results that remain of `total` after offset and limit.
    package func pageCount(of total: Int) -> Int {
        let rest = max(0, total - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
