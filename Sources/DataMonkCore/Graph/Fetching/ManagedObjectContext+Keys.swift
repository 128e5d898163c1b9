/// Fetches keys, for ids, counts and batches, without creating objects except for unsaved changes.
extension ManagedObjectContext {
    /// Returns the keys of a fetch's objects, with unsaved changes applied to the stores' results.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        let indices = try storeIndices(of: fetch)
        // The order across stores is determined here, by the values.
        if indices.count > 1 { return try objects(fetch).map(\.key) }
        let overlay = try pendingOverlay(of: fetch)
        let widened = overlay?.widened(fetch) ?? fetch
        let stored = try indices.flatMap { try openSnapshot(for: fetch).readers[$0].keys(widened) }
        guard let overlay else { return stored }
        return try evaluating(fetch) { try overlay.merged(into: stored, fetch, in: self) }
    }

    /// Returns the number of a fetch's objects, with unsaved changes applied to the stores' results.
    func countObjects(_ fetch: ResolvedFetch) throws -> Int {
        let indices = try storeIndices(of: fetch)
        // Before the readers: a condition that it evaluates may take so long that the snapshot is replaced.
        let overlay = try pendingOverlay(of: fetch)
        let readers = try indices.map { try openSnapshot(for: fetch).readers[$0] }
        if let overlay {
            let widened = overlay.widened(fetch)
            let stored = try readers.flatMap { try $0.keys(widened) }
            return fetch.pageCount(of: try evaluating(fetch) { try overlay.count(over: stored, of: fetch) })
        }
        if readers.count == 1 { return try readers[0].count(fetch) }
        return fetch.pageCount(of: try readers.reduce(0) { try $0 + $1.count(fetch.widened(by: 0)) })
    }

    /// Returns the objects with some keys, as faults if they are not known yet. Each `size` of them form a cohort: the
    /// first access to one reads all of them.
    func faults(of keys: [ObjectKey], together size: Int) -> [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(keys.count)
        var rest = keys[...]
        while !rest.isEmpty {
            let cohort = identities.cohortStart
            for key in rest.prefix(size) { objects.append(object(for: key)) }
            identities.endCohort(from: cohort)
            rest = rest.dropFirst(size)
        }
        return objects
    }
}

extension PendingOverlay {
    /// Returns the number of objects, given the keys that the store found for `widened`.
    fileprivate func count(over stored: [ObjectKey], of fetch: ResolvedFetch) throws(FetchError) -> Int {
        try matching.count + unchanged(in: stored, of: fetch, \.self).count
    }

    /// Returns the page of `fetch`, given the keys that the store found for `widened`.
    fileprivate func merged(
        into stored: [ObjectKey], _ fetch: ResolvedFetch, in context: ManagedObjectContext
    ) throws -> [ObjectKey] {
        let clean = try unchanged(in: stored, of: fetch, \.self)
        for object in matching where object.key.isTemporary { object.state.insert(.hasKnownTemporaryID) }
        let wanted = fetch.sorted(matching)
        if wanted.isEmpty || clean.isEmpty || fetch.sortTerms.isEmpty {
            return fetch.page(clean + wanted.map(\.key))
        }
        return fetch.page(try merge(wanted, into: clean, by: ReaderSort(fetch.sortTerms), in: context))
    }

    /// Merges sorted objects into the sorted keys of others. Positions are found by binary search, so that few of the other
    /// objects are read; if reading all of them is cheaper, they are read with one query.
    private func merge(
        _ wanted: [ManagedObject], into clean: [ObjectKey], by sort: ReaderSort, in context: ManagedObjectContext
    ) throws -> [ObjectKey] {
        let steps = Int.bitWidth - clean.count.leadingZeroBitCount
        if clean.count <= 256 || clean.count / steps <= wanted.count { try context.faults.loadRows(of: clean) }
        var merged: [ObjectKey] = []
        merged.reserveCapacity(clean.count + wanted.count)
        var place = 0
        for object in wanted {
            let keys = sort.keys(of: object)
            // Place the object after those that are equal in the order.
            let next = try (place..<clean.count).partitionPoint { middle in
                try context.faults.loadRows(of: [clean[middle]])
                return sort.order(keys, sort.keys(of: context.object(for: clean[middle]))) == .ascending
            }
            merged += clean[place..<next]
            merged.append(object.key)
            place = next
        }
        return merged + clean[place...]
    }
}
