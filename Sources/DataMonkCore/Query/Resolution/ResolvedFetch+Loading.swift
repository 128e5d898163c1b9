/// How much of each object a fetch of objects loads.
extension ResolvedFetch {
    /// Whether values come with the keys. If not, the objects are faults.
    package var loadsValues: Bool { request.includesPropertyValues || !request.returnsObjectsAsFaults }

    /// How many objects are read at a time, nil for all at once.
    var batchSize: Int? {
        guard request.fetchBatchSize > 0, request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects else {
            return nil
        }
        return request.fetchBatchSize
    }

    /// The slots of the properties that are loaded, nil for all.
    package var loadedSlots: SlotSet? {
        if selections.isEmpty || request.resultType == .dictionaries { return nil }
        // Objects that are no faults, or shall be as the store has them, are whole.
        guard request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects else { return nil }
        var slots = SlotSet()
        for path in selections.compactMap(\.path) {
            if let slot = path.attribute?.slot ?? path.steps.last?.slot { slots.insert(slot) }
        }
        return slots
    }

    /// What becomes of a row.
    var manner: RowIntake.Manner {
        if request.shouldRefreshRefetchedObjects { return .refreshing }
        return loadedSlots.map { .partial($0) } ?? .whole
    }

    /// How many of so many results offset and limit leave.
    func pageCount(of total: Int) -> Int {
        let rest = max(0, total - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
