extension FaultLoader {
    /// Reads the rows for all keys whose objects are faults or not registered.
    func loadRows(of keys: [ObjectKey]) throws {
        var missing = keys.filter { identities.find($0)?.row == nil }
        if missing.isEmpty { return }
        // Before the sink is created, which checks whether the context stands behind the snapshot.
        let snapshot = try openSnapshot()
        let sink = RowSink(context: context)
        defer { sink.finish() }
        if context.parent != nil { missing = missing.filter(sink.wants) }
        missing.removeAll(where: \.isTemporary)
        if missing.isEmpty { return }
        if snapshot.readers.count == 1 { return try snapshot.readers[0].rows(of: missing, into: sink) }
        for (store, keys) in Dictionary(grouping: missing, by: \.storeIndex) {
            try snapshot.readers[store].rows(of: keys, into: sink)
        }
    }

    /// Reads the destinations of some relationships of many objects, with one query per relationship.
    func prefetch(_ paths: [[Entity.Relationship]], of objects: [ManagedObject]) throws {
        for path in paths {
            var level = objects
            for relationship in path {
                level = try prefetch(relationship, of: level)
            }
        }
    }

    /// Reads the destinations of one relationship of many objects.
    func prefetch(
        _ relationship: Entity.Relationship, of objects: [ManagedObject]
    ) throws -> [ManagedObject] {
        if relationship.isToMany { return try prefetchToMany(relationship, of: objects) }
        var seen = KeyTable(minimumCapacity: 64)
        defer { seen.deallocate() }
        var keys: [ObjectKey] = []
        for object in objects {
            let row = try context.rowOrEmpty(of: object)
            let word = RowFormat.word(row, relationship.slot)
            if word == 0 || seen.find(word) != 0 { continue }
            seen.set(word, 1)
            keys.append(ObjectKey(rawValue: word))
        }
        try loadRows(of: keys)
        return keys.compactMap(identities.find)
    }

    private func prefetchToMany(
        _ relationship: Entity.Relationship, of objects: [ManagedObject]
    ) throws -> [ManagedObject] {
        var owners = objects.filter { owner in
            !owner.key.isTemporary && !context.relation(relationship, of: owner).isLoaded
        }
        if context.parent != nil {
            for owner in owners where context.inheritsToMany(relationship, of: owner) {
                _ = try context.loadedToMany(relationship, of: owner)
            }
            owners.removeAll { context.relation(relationship, of: $0).isLoaded }
        }
        for owners in Dictionary(grouping: owners, by: \.key.storeIndex).values {
            do {
                try load(relationship, of: owners, rowLimit: .max)
            } catch let error as StoreError where error.code == .corrupt {
                // The to-manys stay unread: a damaged row is no reason not to return the objects that were fetched.
                coordinator.report(error)
            }
        }
        var seen: Set<ManagedObject> = []
        return objects.flatMap { context.relation(relationship, of: $0).elements }.filter { seen.insert($0).inserted }
    }
}
