/// What a fetch finds, as keys: for ids, counts and batches. Makes no objects, but for unsaved changes.
extension ManagedObjectContext {
    /// The keys of a fetch's objects, unsaved changes laid over what the store has.
    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        let indices = try storeIndices(of: fetch)
        // The order across stores is worked out here, over the values.
        if indices.count > 1 { return try objects(fetch).map(\.key) }
        let overlay = try pendingOverlay(of: fetch)
        let widened = overlay?.widened(fetch) ?? fetch
        let stored = try indices.flatMap { try openSnapshot().readers[$0].keys(widened) }
        guard let overlay else { return stored }
        return try evaluating { try overlay.lay(over: stored, fetch, in: self) }
    }

    /// How many objects a fetch has, unsaved changes laid over what the store has.
    func countObjects(_ fetch: ResolvedFetch) throws -> Int {
        let indices = try storeIndices(of: fetch)
        let readers = try indices.map { try openSnapshot().readers[$0] }
        if let overlay = try pendingOverlay(of: fetch) {
            let widened = overlay.widened(fetch)
            let stored = try readers.flatMap { try $0.keys(widened) }
            return fetch.pageCount(of: overlay.count(over: stored))
        }
        if readers.count == 1 { return try readers[0].count(fetch) }
        return fetch.pageCount(of: try readers.reduce(0) { try $0 + $1.count(fetch.widened(by: 0)) })
    }

    /// The objects of some keys, faults where they are not known. Each `size` of them are a cohort: the first touch of one
    /// reads all of those.
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
    /// How many objects there are over so many keys that `widened` answered.
    fileprivate func count(over stored: [ObjectKey]) -> Int {
        stored.reduce(matching.count) { $0 + (dirty.contains($1) ? 0 : 1) }
    }

    /// The page of `fetch` over the keys that `widened` answered.
    fileprivate func lay(
        over stored: [ObjectKey], _ fetch: ResolvedFetch, in context: ManagedObjectContext
    ) throws -> [ObjectKey] {
        let clean = stored.filter { !dirty.contains($0) }
        for object in matching where object.key.isTemporary { object.state.insert(.hasKnownTemporaryID) }
        let wanted = fetch.sorted(matching)
        if wanted.isEmpty || clean.isEmpty || fetch.sortTerms.isEmpty {
            return fetch.page(clean + wanted.map(\.key))
        }
        return fetch.page(try merge(wanted, into: clean, ReaderSort(fetch.sortTerms), context))
    }

    /// Puts some sorted objects between the keys of others that are sorted. The places are looked for by bisection, so that
    /// few of the others are read; all of them, with one query, where that is less.
    private func merge(
        _ wanted: [ManagedObject], into clean: [ObjectKey], _ sort: ReaderSort, _ context: ManagedObjectContext
    ) throws -> [ObjectKey] {
        let steps = Int.bitWidth - clean.count.leadingZeroBitCount
        if clean.count <= 256 || clean.count / steps <= wanted.count { try context.loadRows(of: clean) }
        var merged: [ObjectKey] = []
        merged.reserveCapacity(clean.count + wanted.count)
        var place = 0
        for object in wanted {
            let keys = sort.keys(of: object)
            var (low, high) = (place, clean.count)
            while low < high {
                let middle = (low + high) / 2
                try context.loadRows(of: [clean[middle]])
                let other = sort.keys(of: context.object(for: clean[middle]))
                // Behind those that are equal to the order.
                if sort.order(keys, other) == .ascending { high = middle } else { low = middle + 1 }
            }
            merged += clean[place..<low]
            merged.append(object.key)
            place = low
        }
        return merged + clean[place...]
    }
}
