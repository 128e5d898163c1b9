extension ManagedObjectContext {
    /// Explains how a fetch would be answered, and which index would make it faster. The request's result type determines
    /// whether the fetch is for objects, ids, their count or rows of values.
    ///
    ///     print(try context.explain(request))
    ///
    /// The fetch does not run. Statements do not show values.
    ///
    /// - Parameter showingValues: A Boolean value indicating whether the plans include the constants.
    /// - Throws: ``FetchError`` if the fetch would throw it; ``StoreError`` if a store fails.
    public func explain(_ request: FetchRequest, showingValues: Bool = false) throws -> FetchExplanation {
        var request = request
        // A fetch of objects in batches is a fetch of their ids.
        if request.resultType == .managedObjects, try resolve(request).batchSize != nil {
            request.resultType = .objectIDs
        }
        let fetch = try resolve(request)
        beginCall()
        defer { endCall() }
        try advance()
        let overlay = request.resultType == .dictionaries ? nil : try pendingOverlay(of: fetch)
        let asked = overlay?.widened(fetch) ?? fetch
        let plans = try storeIndices(of: fetch).map { index in
            try faults.openSnapshot().readers[index].plan(of: asked, showsValues: showingValues)
        }
        let isSlow = plans.contains { $0.statement != nil && ($0.readsEveryObject || $0.sortsResults) }
        return FetchExplanation(
            entityName: fetch.entity.name, plans: plans, unsavedChanges: overlay?.dirty.count ?? 0,
            suggestedIndex: isSlow ? IndexSuggestion.index(for: fetch) : nil)
    }
}
