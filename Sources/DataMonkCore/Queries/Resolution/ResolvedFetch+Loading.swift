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

    /// The slots of the properties to load, or `nil` for all.
    package var loadedSlots: SlotSet? {
        if selections.isEmpty || request.resultType == .dictionaries { return nil }
        // Objects that must not be faults, or must be refreshed, are loaded completely.
        guard request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects else { return nil }
        var slots = SlotSet()
        for path in selections.compactMap(\.path) {
            if let slot = path.holder?.slot ?? path.steps.last?.slot { slots.insert(slot) }
        }
        return slots
    }

    /// Returns the number of results that remain of `total` after offset and limit.
    package func pageCount(of total: Int) -> Int {
        let rest = max(0, total - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
