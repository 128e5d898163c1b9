/// **Value.** The last to-one read that leads to a fault, whose source's cohort is read when that fault is fulfilled.
struct ToOneStep {
    let source: ObjectKey
    let slot: Int
    let destination: ObjectKey
}

extension FaultLoader {
    // MARK: Rows

    /// Records that the to-one in a slot of an object was read and leads to a fault, which is likely to be fulfilled next.
    func noteStep(to fault: ManagedObject, through slot: Int, of object: ManagedObject) {
        lastToOne = ToOneStep(source: object.key, slot: slot, destination: fault.key)
    }

    /// Reads the row of a fault from its store, together with the rows likely to be needed next: those of the other
    /// destinations of the to-one that led to it, for the objects in its source's cohort, or else those of the faults in
    /// its own cohort.
    ///
    /// - Returns: Whether there is a row.
    func loadCohort(ofFault object: ManagedObject) throws -> Bool {
        context.beginLoading()
        defer { context.endCall() }
        let keys = cohortKeys(ofFault: object)
        if keys.count > 1 {
            try loadRows(ofCohort: keys, with: object)
            if object.row != nil { return true }
            // Its row no longer exists or cannot be read; reading it alone throws that error.
        }
        guard let row = try loadRow(of: object.key) else { return false }
        object.adopt(row)
        object.awakeFromFetchOnce()
        return true
    }

    private func loadRows(ofCohort keys: [ObjectKey], with object: ManagedObject) throws {
        let snapshot = try stores.openSnapshot()
        let sink = ObjectSink(context: context)
        defer { sink.finish() }
        try snapshot.reader(of: object.key).rows(of: keys, into: sink)
        // A child's rows may have values that its parents have not saved; those of a context that stands behind may be
        // older.
        if sink.asksFirst { return }
        coordinator.cache(
            sink.objects.lazy.compactMap { object in object.storedRow.map { (object.key, $0) } },
            readAt: snapshot.generation)
    }

    /// Returns the keys to read together with a fault's: its own first, all of one store and one table.
    private func cohortKeys(ofFault object: ManagedObject) -> [ObjectKey] {
        var keys = [object.key]
        // A sink would give the row to the object that is now registered with this key.
        if !object.isMember { return keys }
        let root = object.entity.root
        if let step = lastToOne, step.destination == object.key, let source = identities.find(step.source) {
            addDestinations(of: source, slot: step.slot, to: &keys)
        } else {
            identities.visitCohort(of: object) { other in
                guard other.row == nil, !other.key.isTemporary, other.key.storeIndex == object.key.storeIndex,
                    other.entity.root === root
                else { return true }
                keys.append(other.key)
                return keys.count < Self.cohortSize
            }
        }
        return keys
    }

    /// Adds the destinations of a to-one of the objects of `source`'s cohort, unless they have been read.
    private func addDestinations(of source: ManagedObject, slot: Int, to keys: inout [ObjectKey]) {
        var seen = KeyTable(minimumCapacity: 64)
        defer { seen.deallocate() }
        let first = keys[0]
        _ = seen.insert(first.rawValue)
        var found: [ObjectKey] = []
        identities.visitCohort(of: source) { other in
            guard other.home === source.home, let row = other.row ?? other.partialRow(holding: slot),
                let key = ObjectKey(slot: RowFormat.word(in: row, at: slot)), seen.insert(key.rawValue)
            else { return true }
            if !key.isTemporary, key.storeIndex == first.storeIndex { found.append(key) }
            return found.count < Self.cohortSize
        }
        keys += found.filter { identities.find($0)?.row == nil }
    }

    // MARK: To-manys

    /// Returns the to-many of an object, loaded.
    func toMany(_ relationship: Entity.Relationship, of object: ManagedObject) -> ToManyRelation {
        if context.notesSteps { context.noteRead(of: relationship) }
        let relation = object.relation(relationship)
        if relation.isLoaded { return relation }
        load(relation, of: object)
        return object.relation(relationship)
    }

    /// Returns the to-many of an object, loaded, for a replacement of its members. If it cannot be read, the members to
    /// remove are unknown: the change is lost, and recorded as lost.
    func toManyToChange(_ relationship: Entity.Relationship, of object: ManagedObject) -> ToManyRelation {
        let relation = object.relation(relationship)
        if relation.isLoaded { return relation }
        if !load(relation, of: object) { failures.noteLostChange() }
        return object.relation(relationship)
    }

    /// Returns the to-many of an object, loaded.
    ///
    /// - Throws: The errors of the read.
    func loadedToMany(_ relationship: Entity.Relationship, of object: ManagedObject) throws -> ToManyRelation {
        if context.notesSteps { context.noteRead(of: relationship) }
        let relation = object.relation(relationship)
        if relation.isLoaded { return relation }
        try loadOrThrow(relation, of: object)
        return object.relation(relationship)
    }

    /// - Returns: `true` if it could be read.
    @discardableResult
    func load(_ relation: ToManyRelation, of object: ManagedObject) -> Bool {
        do {
            try loadOrThrow(relation, of: object)
            return true
        } catch {
            // The property reads as empty this time; the relation stays a fault and is read again.
            noteFailedRead(of: object, slot: relation.relationship.slot, error)
            return false
        }
    }

    func loadOrThrow(_ relation: ToManyRelation, of object: ManagedObject) throws {
        let relationship = relation.relationship
        context.noteRead(of: relationship)
        if object.key.isTemporary, !context.inheritsToMany(relationship, of: object) { return relation.load([]) }
        try loadCohort(ofToMany: relationship, of: object)
    }

    /// Loads a to-many from the store, and the same to-many of the objects in its object's cohort.
    ///
    /// The members' `awakeFromFetch` may move the context, which unloads the to-many or even turns the object into a fault
    /// with new relations. The to-many of the object is then read again.
    func loadCohort(ofToMany relationship: Entity.Relationship, of object: ManagedObject) throws {
        beginInOneState()
        defer { context.endCall() }
        if context.inheritsToMany(relationship, of: object) { return try loadAlone(relationship, of: object) }
        var owners = [object]
        identities.visitCohort(of: object) { other in
            if other.home === object.home, isToLoad(relationship, of: other, with: object) { owners.append(other) }
            return owners.count < Self.cohortSize
        }
        if owners.count > 1 {
            do {
                try load(relationship, of: owners, rowLimit: Self.cohortRowLimit)
            } catch let error as StoreError where error.code == .corrupt {
                // A damaged row may be another object's. The read below is for this object alone, and throws only if the
                // row is its own.
            }
        }
        // Alone, beyond the limit, or unloaded again.
        if !object.relation(relationship).isLoaded { try loadAlone(relationship, of: object) }
    }

    private func loadAlone(_ relationship: Entity.Relationship, of object: ManagedObject) throws {
        var members: [ManagedObject]
        var generation: Generation
        repeat {
            generation = stores.generation
            members = try context.underlyingDestinations(of: relationship, from: object)
        } while stores.generation != generation
        context.graph.fill(object.relation(relationship), of: object, with: members)
    }

    private func isToLoad(
        _ relationship: Entity.Relationship, of other: ManagedObject, with object: ManagedObject
    ) -> Bool {
        if other.key.isTemporary || other.key.storeIndex != object.key.storeIndex || other.isDeleted { return false }
        if other.toManys.contains(where: { $0.relationship.slot == relationship.slot && $0.isLoaded }) { return false }
        return !context.inheritsToMany(relationship, of: other)
    }

    /// Loads a to-many for some objects of one store with one query, in the order of their keys, until `rowLimit` objects
    /// have been loaded.
    func load(_ relationship: Entity.Relationship, of objects: [ManagedObject], rowLimit: Int) throws {
        context.noteRead(of: relationship)
        let owners = objects.sorted { $0.key.primaryKey < $1.key.primaryKey }
        guard let first = owners.first else { return }
        // Before the sink is created, which checks whether the context stands behind the snapshot.
        let reader = try stores.openSnapshot().reader(of: first.key)
        let sink = ObjectSink(context: context, limit: rowLimit)
        // Last, because `awakeFromFetch` of the objects may access the same to-many.
        defer { sink.finish() }
        try reader.destinations(of: relationship, from: owners.map(\.key), into: sink)
        let changed = ownersChangedLater(relationship)
        var start = 0
        for (owner, end) in zip(owners, sink.ends) {
            var members = Array(sink.objects[start..<end])
            if changed.contains(owner.key) { members = asOfGeneration(members, of: relationship, from: owner.key) }
            context.graph.fill(
                owner.relation(relationship), of: owner, with: context.withoutDeletedByParents(members))
            start = end
        }
    }
}
