extension FaultLoader {
    /// Reads the rows for all keys whose objects are faults or not registered.
    func loadRows(of keys: [ObjectKey]) throws {
        try loadRows(of: keys) { reader, keys, sink in try reader.rows(of: keys, into: sink) }
    }

    /// Reads rows as `loadRows(of:)` does, until those of a store have a number of bytes.
    ///
    /// - Returns: The keys of the rows that were left out for that.
    func loadRows(of keys: [ObjectKey], byteLimit: Int) throws -> Set<ObjectKey> {
        var left: Set<ObjectKey> = []
        try loadRows(of: keys) { reader, keys, sink in
            let part = PartSink(sink, byteLimit: byteLimit, directory: context.directory)
            try reader.rows(of: keys, into: part)
            left.formUnion(part.left)
        }
        return left
    }

    private func loadRows(
        of keys: [ObjectKey], by read: (any StoreReader, [ObjectKey], ObjectSink) throws -> Void
    ) throws {
        var missing = keys.filter { identities.find($0)?.row == nil }
        if missing.isEmpty { return }
        if stores.context.readRegion != nil { missing.forEach(context.noteRead) }
        // Before the sink is created, which checks whether the context stands behind the snapshot.
        let snapshot = try stores.openSnapshot()
        let sink = ObjectSink(context: context)
        defer { sink.finish() }
        if sink.inherits { missing = missing.filter(sink.wants) }
        missing.removeAll(where: \.isTemporary)
        if missing.isEmpty { return }
        if snapshot.readers.count == 1 { return try read(snapshot.readers[0], missing, sink) }
        for (store, keys) in Dictionary(grouping: missing, by: \.storeIndex) {
            try read(snapshot.readers[store], keys, sink)
        }
    }

    /// Reads the destinations of some relationships of many objects, with one query per relationship.
    func prefetch(_ paths: [[Entity.Relationship]], of objects: [ManagedObject]) throws {
        for path in paths {
            var level = objects
            for relationship in path.dropLast() { level = try prefetch(relationship, of: level) }
            // Nobody needs the objects at the end.
            guard let last = path.last else { continue }
            if last.isToMany { try readToManys(last, of: level) } else { _ = try prefetch(last, of: level) }
        }
    }

    /// Reads the destinations of one relationship of many objects.
    func prefetch(
        _ relationship: Entity.Relationship, of objects: [ManagedObject]
    ) throws -> [ManagedObject] {
        var seen = KeyTable(minimumCapacity: 64)
        defer { seen.deallocate() }
        if relationship.isToMany {
            try readToManys(relationship, of: objects)
            return objects.flatMap { owner in
                owner.relation(relationship).elements.filter { seen.insert($0.key.rawValue) }
            }
        }
        var keys: [ObjectKey] = []
        for object in objects {
            let row = try rowOrEmpty(of: object)
            let word = RowFormat.word(in: row, at: relationship.slot)
            if word == 0 { continue }
            if seen.insert(word) { keys.append(ObjectKey(rawValue: word)) }
        }
        try loadRows(of: keys)
        return keys.compactMap(identities.find)
    }

    private func readToManys(_ relationship: Entity.Relationship, of objects: [ManagedObject]) throws {
        let owners = try objects.filter { owner in
            if owner.key.isTemporary || owner.relation(relationship).isLoaded { return false }
            if !context.inheritsToMany(relationship, of: owner) { return true }
            _ = try loadedToMany(relationship, of: owner)
            return false
        }
        for owners in Dictionary(grouping: owners, by: \.key.storeIndex).values {
            do {
                try load(relationship, of: owners, rowLimit: .max)
            } catch let error as StoreError where error.code == .corrupt {
                // The to-manys stay unread: a damaged row is no reason not to return the objects that were fetched.
                coordinator.directory.reportIncompleteRead(error)
            }
        }
    }

    // MARK: Delete rules and undo

    /// Returns the object's row, read if necessary, or the empty row if it no longer exists.
    func rowOrEmpty(of object: ManagedObject) throws -> UnsafeRawPointer {
        if let row = object.row { return row }
        do {
            return try fulfillOrThrow(object)
        } catch let error as FetchError where error.code == .objectNotFound {
            return object.home.layout.emptyRow.pointer
        }
    }

    /// Reads a to-many for objects of one entity and one store, unless it has been read. Takes one query if no parent has
    /// other members.
    func readToMany(_ relationship: Entity.Relationship, of objects: [ManagedObject]) throws {
        var unread = objects.filter { !$0.relation(relationship).isLoaded }
        if unread.count > 1 {
            var read: [ManagedObject] = []
            read.reserveCapacity(unread.count)
            unread.removeAll { object in
                if object.key.isTemporary || context.inheritsToMany(relationship, of: object) { return false }
                read.append(object)
                return true
            }
            try load(relationship, of: read, rowLimit: .max)
        }
        for object in unread { try loadOrThrow(object.relation(relationship), of: object) }
    }

    /// Reads the rows of faults, with one query for each table. A fault whose row no longer exists gets the empty row.
    func readRows(of objects: [ManagedObject]) throws {
        let unread = objects.filter { $0.row == nil && takeCachedRow($0) == nil }
        // Only these, because the neighbors of each object in a chain would be examined again and again.
        if !unread.isEmpty { try loadRows(of: unread.map(\.key)) }
        for object in objects where object.row == nil { _ = try rowOrEmpty(of: object) }
    }

    /// Returns the objects grouped by entity and store, in their order.
    func groupedForReading(_ objects: ContiguousArray<ManagedObject>) -> [[ManagedObject]] {
        guard let first = objects.first else { return [] }
        if objects.allSatisfy({ $0.home === first.home && $0.key.storeIndex == first.key.storeIndex }) {
            return [Array(objects)]
        }
        var groups: [[ManagedObject]] = []
        var places: [ReadingGroup: Int] = [:]
        for object in objects {
            let group = ReadingGroup(home: ObjectIdentifier(object.home), store: object.key.storeIndex)
            if let place = places[group] {
                groups[place].append(object)
            } else {
                places[group] = groups.count
                groups.append([object])
            }
        }
        return groups
    }

    private struct ReadingGroup: Hashable {
        let home: ObjectIdentifier
        let store: Int
    }
}
