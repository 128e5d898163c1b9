extension ManagedObjectContext {
    /// Settles conflicts by the merge policy, so that the save can be tried again.
    ///
    /// - Throws: ``SaveError`` with every conflict, if the policy is to throw or the attempts are used up.
    func resolve(_ stored: [StoredVersion], in pending: PendingSave, isLastAttempt: Bool) throws {
        if mergePolicy == .error || isLastAttempt { throw mergeConflict(stored) }
        for version in stored {
            guard let object = identities.find(version.key) else { continue }
            guard let row = version.row else {
                settleDeletedElsewhere(object)
                continue
            }
            settle(object, against: row)
        }
    }

    private func settle(_ object: ManagedObject, against row: Row) {
        object.state.remove(.outdated)
        if object.state.contains(.deleted) {
            // The object goes whatever its values are; under the policies that let the store win it stays.
            object.block = row.block
            object.row = row.pointer
            object.draft = nil
            if mergePolicy == .rollback || mergePolicy == .mergeByPropertyStoreTrump {
                object.state.remove([.deleted, .propagated])
                keepOnlyLinks(of: object)
            }
            return
        }
        guard let draft = object.draft, let base = draft.base else { return }
        defer { settleMemberships(of: object, before: [base.pointer, UnsafeRawPointer(draft.row)], in: row) }
        switch mergePolicy {
        case .error, .mergeByPropertyObjectTrump:
            rebase(object, draft, onto: row)
        case .mergeByPropertyStoreTrump:
            keepUncontested(object, draft, base: base, row)
        case .overwrite:
            // The same values over the newer version: every slot that differs from the stored row is written.
            draft.base = row
            object.block = row.block
        case .rollback:
            object.adopt(row)
            keepOnlyLinks(of: object)
        }
    }

    /// The object's values are no longer changed. Links have no version and meet nobody: they stay.
    private func keepOnlyLinks(of object: ManagedObject) {
        if !object.toManys.contains(where: \.hasChanges) { object.state.remove(.updated) }
    }

    /// Drops the changes of slots that the store has changed as well.
    private func keepUncontested(_ object: ManagedObject, _ draft: DraftRow, base: Row, _ row: Row) {
        let layout = object.home.layout
        let changed = layout.changedSlots(of: draft)
        let fresh = DraftRow(
            copying: row.pointer, slots: layout.slotCount, size: layout.size(of: row.pointer), base: row)
        changed.forEach { slot in
            if layout.isEqual(slot, base.pointer, row.pointer) {
                layout.copy(slot, from: UnsafeRawPointer(draft.row), to: fresh)
            }
        }
        layout.copyTransients(from: UnsafeRawPointer(draft.row), to: fresh)
        object.draft = fresh
        object.block = row.block
        object.row = UnsafeRawPointer(fresh.row)
    }

    /// The object is gone from the store: there is nothing left to update or delete.
    private func settleDeletedElsewhere(_ object: ManagedObject) {
        forgetMemberships(of: object)
        object.draft = nil
        object.state.remove([.updated, .deleted])
        object.state.insert(.inaccessible)
        object.adopt(object.home.layout.emptyRow)
    }

    private func mergeConflict(_ stored: [StoredVersion]) -> SaveError {
        let conflicts = stored.compactMap { version -> MergeConflict? in
            guard let object = identities.find(version.key), let base = object.storedRow else { return nil }
            return MergeConflict(
                objectID: object.anyObjectID, baseVersion: base.version, storedVersion: version.row?.version,
                baseValues: object.entity.values(in: base.pointer),
                storedValues: version.row.map { object.entity.values(in: $0.pointer) } ?? [:])
        }
        let names = Set(conflicts.map(\.objectID.entityName)).sorted().joined(separator: ", ")
        return SaveError(
            .mergeConflict,
            """
            \(conflicts.count) objects (\(names)) were changed by others since they were read. Refresh them and save \
            again, or give the context another merge policy.
            """,
            entityName: conflicts.first?.objectID.entityName, objectID: conflicts.first?.objectID, conflicts: conflicts)
    }
}

extension Entity {
    /// The attributes' values in a row, by name.
    func values(in row: UnsafeRawPointer) -> [String: ManagedValue] {
        Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.value(in: row)) })
    }
}
