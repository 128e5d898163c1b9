/// Checks the referential integrity of batch requests: the objects that they refer to must exist, since batch requests have
/// no merge policy.
extension StoreTransaction {
    /// Throws unless every destination that the changes set is in the store.
    func requireDestinations(of changes: ChangeSet, directory: ObjectDirectory) throws {
        var wanted: [ObjectKey: Entity.Relationship] = [:]
        changes.forEachReference(layouts: directory.layouts) { _, relationship, destination in
            wanted[destination] = relationship
        }
        try requireDestinations(wanted, directory: directory)
    }

    /// Throws unless every object that the update refers to is in the store.
    func requireDestinations(of update: ResolvedBatchUpdate, directory: ObjectDirectory) throws {
        if !update.setsToOnes { return }
        var wanted: [ObjectKey: Entity.Relationship] = [:]
        for relationship in update.assignments.compactMap(\.property.relationship) {
            let word = RowFormat.word(in: update.constants.pointer, at: relationship.slot)
            if let key = ObjectKey(slot: word) { wanted[key] = relationship }
        }
        try requireDestinations(wanted, directory: directory)
    }

    private func requireDestinations(
        _ wanted: [ObjectKey: Entity.Relationship], directory: ObjectDirectory
    ) throws {
        if wanted.isEmpty { return }
        let missing = Set(wanted.keys).subtracting(try present(wanted.keys.sorted()))
        guard let key = missing.min(), let relationship = wanted[key] else { return }
        throw SaveError(
            .mergeConflict,
            """
            \(relationship.entity.name).\(relationship.name) would refer to \(missing.count) objects that were \
            deleted from the store. The batch request wrote nothing. Fetch the destinations again, and leave out \
            those that were deleted.
            """, entityName: relationship.entity.name, objectID: AnyObjectID(key: key, directory: directory))
    }
}
