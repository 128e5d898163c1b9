/// Application of delete rules in waves: first everything that the rules of a wave's objects need is read, in sets, and
/// then the rules are applied. Thus a deletion of many objects takes one query for each relationship.
extension ManagedObjectContext {
    /// Applies delete rules to the objects deleted since the last call, as far as the data can be read. The rest is left
    /// to a later call, at the latest that of the save, which fails if the data still cannot be read.
    ///
    /// - Complexity: Proportional to the deletions since.
    func propagateDeletions() {
        if pendingDeletions.isEmpty { return }
        beginLoading()
        defer { endCall() }
        do {
            try propagatePendingDeletions()
        } catch {
            coordinator.report(error)
        }
    }

    /// Applies delete rules to every deleted object to which they have not been applied, for a save.
    ///
    /// - Throws: The errors of the reads that the rules need. In that case, nothing of the wave has been changed, and it
    ///   remains pending.
    func propagateDeletionsOrThrow() throws {
        pendingDeletions.collect(from: changed)
        if !pendingDeletions.isEmpty { try propagatePendingDeletions() }
    }

    @inline(never)
    private func propagatePendingDeletions() throws {
        while true {
            let wave = pendingDeletions.nextWave()
            if wave.isEmpty { return }
            try readForDeletion(of: wave)
            // The objects that a cascade deletes join the next wave. Hooks may have applied the rules of some of these.
            for object in wave where object.awaitsDeleteRules { propagateDeletion(of: object) }
        }
    }

    // MARK: Reading

    /// Reads everything that the delete rules of some objects need, before anything is changed: a rule must not find
    /// nothing just because the store fails.
    func readForDeletion(of objects: ContiguousArray<ManagedObject>) throws {
        beginLoading()
        defer { endCall() }
        for group in groupedForReading(objects) {
            // Objects are deleted by a cascade in the state that is read here: the store compares the version.
            try readRows(of: group.filter { $0.state.contains(.cascaded) && !$0.isInserted })
            for relationship in group[0].home.layout.relationships {
                try readForDeletion(of: group, relationship)
            }
        }
    }

    private func readForDeletion(of objects: [ManagedObject], _ relationship: Entity.Relationship) throws {
        let rule = relationship.deleteRule
        if relationship.inverse == nil, rule != .cascade { return }
        // Objects that were never saved leave all relationships. For others, validation reads the objects that deny
        // needs.
        let owners = rule == .noAction || rule == .deny ? objects.filter(\.isInserted) : objects
        if owners.isEmpty { return }
        if relationship.isToMany {
            try readToMany(relationship, of: owners)
        } else {
            try readRows(of: owners)
        }
        // The other side of a cascade is deleted in the next wave, and is read then. The other side is changed without
        // being read if it is a to-many.
        guard rule != .cascade, relationship.inverse?.isToMany == false else { return }
        let others = owners.flatMap { destinations(of: relationship, from: $0) }
        try readRows(of: others.filter { !$0.state.contains(.deleted) })
    }

    /// Reads a to-many for objects of one entity and one store, unless it has been read. Takes one query if no parent has
    /// other members and the context does not stand behind its snapshot.
    func readToMany(_ relationship: Entity.Relationship, of objects: [ManagedObject]) throws {
        var unread = objects.filter { !relation(relationship, of: $0).isLoaded }
        if unread.count > 1 {
            _ = try faults.openSnapshot()
            if !faults.isBehind {
                var read: [ManagedObject] = []
                read.reserveCapacity(unread.count)
                unread.removeAll { object in
                    if object.key.isTemporary || inheritsToMany(relationship, of: object) { return false }
                    read.append(object)
                    return true
                }
                try faults.load(relationship, of: read, rowLimit: .max)
            }
        }
        for object in unread { try loadOrThrow(relation(relationship, of: object), of: object) }
    }

    /// Reads the rows of faults, with one query for each table. A fault whose row no longer exists gets the empty row.
    func readRows(of objects: [ManagedObject]) throws {
        let unread = objects.filter { $0.row == nil && !faults.takeCachedRow($0) }
        // Only these, because the neighbors of each object in a chain would be examined again and again.
        if !unread.isEmpty { try faults.loadRows(of: unread.map(\.key)) }
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
