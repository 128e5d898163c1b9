/// **Value.** A new object that a conflict's resolution has removed.
private struct RemovedObject {
    let key: ObjectKey
    /// The key of the object that replaces it, if there is one.
    let successor: ObjectKey?
}

/// Propagation of a resolution to the children, which hold what they have saved into the context as clean objects; see
/// `ContextFamily`.
extension ConflictResolver {
    /// Returns the new objects among the changes that have left the context; none if there are no children to tell.
    func departedNewObjects() -> Set<ManagedObject> {
        if context.children.isEmpty { return [] }
        return Set(context.work.changed.filter { $0.isInserted && !$0.isMember })
    }

    /// Tells the children the outcome: the new objects that were removed, to every child; the present values of the other
    /// changed objects, to those that follow. A commit names only what it writes, which is not what was resolved away.
    ///
    /// - Parameter former: The new objects that had left the context before.
    func tellChildren(departedBefore former: Set<ManagedObject>) {
        if context.children.isEmpty { return }
        let removals = departedNewObjects().subtracting(former).map { object in
            let winner = replacements.winner(of: object).flatMap { $0.isMember ? $0.key : nil }
            return RemovedObject(key: replacements.formerKey(of: object) ?? object.key, successor: winner)
        }
        context.tellChildren(of: removals)
        let changed = context.work.changed.filter(\.isMember).map(\.key)
        context.forEachFollowingChild { $0.inheritValues(of: changed) }
    }
}

extension ManagedObjectContext {
    fileprivate func tellChildren(of removals: [RemovedObject]) {
        if removals.isEmpty { return }
        var successors: [ObjectKey: ObjectKey] = [:]
        for removal in removals { successors[removal.key] = removal.successor }
        for child in children.contexts {
            child.inherit(removals)
            if !successors.isEmpty { child.takePermanentKeys(successors) }
        }
    }

    /// Removes new objects that the parent has removed. They leave this context as they have left the parent.
    private func inherit(_ removals: [RemovedObject]) {
        for removal in removals {
            if let object = identities.find(removal.key), object.key == removal.key {
                remove(object, replacedBy: removal.successor)
            }
            if let successor = removal.successor { identities.addAlias(removal.key, to: successor) }
        }
        for child in children.contexts { child.inherit(removals) }
    }

    private func remove(_ object: ManagedObject, replacedBy successor: ObjectKey?) {
        // The removal is not a step of the user, nor part of one.
        if hasOpenEvent { processPendingChanges() }
        noteExternalChange(of: object, as: .deleted)
        redirectChanges(from: object, to: successor.map(self.object(for:)))
        if losesChanges(object, isReplaced: successor != nil) {
            faults.noteDroppedWrite(of: object, FetchError.objectIsDeleted(object.anyObjectID))
        }
        graph.forgetMemberships(of: object)
        if object.row == nil { object.adopt(object.home.layout.emptyRow) }
        object.toManys = []
        object.state.formUnion([.inserted, .deleted, .propagated])
        removeFromContext(object)
        if let successor { object.key = successor }
        endEventOfMerge()
    }

    /// Indicates whether a removed object has been changed since the save into the parent, references to it not counted. A
    /// deletion of what is gone anyway is no loss.
    private func losesChanges(_ object: ManagedObject, isReplaced: Bool) -> Bool {
        if object.state.contains(.deleted) { return isReplaced }
        if object.toManys.contains(where: { $0.hasChanges && $0.relationship.inverse == nil }) { return true }
        return object.draft.map { !object.home.layout.changedSlots(of: $0).isEmpty } ?? false
    }

    /// Redirects the unsaved references to a removed object. Those that cannot be redirected are dropped.
    private func redirectChanges(from gone: ManagedObject, to successor: ManagedObject?) {
        for object in work.changed where object !== gone && object.hasChanges && !object.isDeleted {
            for relation in object.toManys where relation.relationship.hasOwnLinks {
                let (isAdded, isRemoved) = (relation.added.contains(gone), relation.removed.contains(gone))
                guard isAdded || isRemoved else { continue }
                relation.settle(gone, isMember: false, isStored: false)
                guard let other = replacement(of: gone, by: successor, in: relation.relationship, of: object) else {
                    continue
                }
                if isAdded {
                    graph.link(other, to: relation.relationship, of: object)
                } else {
                    graph.unlink(other, from: relation.relationship, of: object)
                }
            }
            guard let draft = object.draft else { continue }
            for relationship in object.home.layout.relationships where !relationship.isToMany {
                let word = gone.key.rawValue
                guard RowFormat.word(in: draft.row, at: relationship.slot) == word,
                    draft.base.map({ RowFormat.word(in: $0.pointer, at: relationship.slot) }) != word
                else { continue }
                let other = replacement(of: gone, by: successor, in: relationship, of: object)
                graph.setToOne(relationship, of: object, to: other)
            }
        }
    }

    /// Returns the object to refer to in place of a removed one. If there is none that the relationship accepts, records
    /// that a reference is lost.
    private func replacement(
        of gone: ManagedObject, by successor: ManagedObject?, in relationship: Entity.Relationship,
        of object: ManagedObject
    ) -> ManagedObject? {
        if let successor, successor.entity.isKind(of: relationship.destination) { return successor }
        let error = FetchError.objectIsDeleted(gone.anyObjectID)
        faults.noteDroppedWrite(of: object, slot: relationship.slot, error)
        return nil
    }

    /// Takes the values that objects without unsaved changes have in the parent now, which has resolved conflicts.
    fileprivate func inheritValues(of keys: [ObjectKey]) {
        for key in keys { inheritValues(of: key) }
        forEachFollowingChild { $0.inheritValues(of: keys) }
    }

    private func inheritValues(of key: ObjectKey) {
        guard let object = identities.find(key) else {
            // Its deletion may have been reverted.
            if let journal, journal.isObserved, !key.isTemporary { journal.externalChanges.noteUpdated(key) }
            return
        }
        if object.isInserted || object.state.contains(.inaccessible) { return }
        if !object.isDeleted { noteExternalChange(of: object, as: .updated) }
        for relation in object.toManys { relation.unload() }
        object.dropPartialRow()
        guard let old = object.storedRow, case .row(let row) = inheritedRow(of: key) else { return }
        if object.draft != nil || object.isDeleted {
            // It keeps what its changes started from, as after a commit of others.
            if row.version > old.version { object.state.insert(.outdated) }
        } else {
            adopt(row, as: object)
            graph.settleMemberships(of: object, before: [old.pointer], in: row)
        }
        withExtendedLifetime(old) {}
    }
}
