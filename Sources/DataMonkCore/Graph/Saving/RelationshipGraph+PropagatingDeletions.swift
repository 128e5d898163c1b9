/// Application of delete rules in waves: first everything that the rules of a wave's objects need is read, in sets, and
/// then the rules are applied. Thus a deletion of many objects takes one query for each relationship.
extension RelationshipGraph {
    /// Applies delete rules to the objects deleted since the last call, as far as the data can be read. The rest is left
    /// to a later call, at the latest that of the save, which fails if the data still cannot be read.
    ///
    /// - Complexity: Proportional to the deletions since.
    func propagateDeletions() {
        if pendingDeletions.isEmpty { return }
        context.beginLoading()
        defer { context.endCall() }
        do {
            try propagatePendingDeletions()
        } catch {
            pendingDeletions.noteFailure(error)
            coordinator.report(error)
        }
    }

    /// Applies delete rules to every deleted object to which they have not been applied, for a save.
    ///
    /// - Throws: The errors of the reads that the rules need. In that case, nothing of the wave has been changed, and it
    ///   remains pending.
    func propagateDeletionsOrThrow() throws {
        withContext { pendingDeletions.collect(from: $0.work.changed) }
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
        context.beginLoading()
        defer { context.endCall() }
        for group in context.faults.groupedForReading(objects) {
            // Objects are deleted by a cascade in the state that is read here: the store compares the version.
            try context.faults.readRows(of: group.filter { $0.state.contains(.cascaded) && !$0.isInserted })
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
            try context.faults.readToMany(relationship, of: owners)
        } else {
            try context.faults.readRows(of: owners)
        }
        // The other side of a cascade is deleted in the next wave, and is read then. The other side is changed without
        // being read if it is a to-many.
        guard rule != .cascade, relationship.inverse?.isToMany == false else { return }
        let others = owners.flatMap { destinations(of: relationship, from: $0) }
        try context.faults.readRows(of: others.filter { !$0.state.contains(.deleted) })
    }
}
