/// What happens when a store reports that a change cannot be written as it is: each conflict is decided, then the decisions
/// are carried out, and the save is tried again.
extension ManagedObjectContext {
    /// **Value.** What becomes of one conflict.
    enum Settlement {
        case storeTrump, objectTrump, overwrite, rollback
        case values([String: ManagedValue])

        /// Whether a deletion goes on.
        var deletes: Bool {
            switch self {
            case .objectTrump, .overwrite: true
            case .storeTrump, .rollback, .values: false
            }
        }
    }

    /// Settles conflicts by the merge policy, so that the save can be tried again.
    ///
    /// - Throws: ``SaveError`` with every conflict, if the policy is to throw or the attempts are used up, and for what is
    ///   not valid any more; whatever a policy of the user throws.
    func resolve(_ stored: [StoredVersion], isLastAttempt: Bool) throws {
        let conflicts = stored.map(conflict)
        var settlements: [Settlement?] = []
        for conflict in conflicts {
            guard let conflict else {
                settlements.append(nil)
                continue
            }
            guard !isLastAttempt, let settlement = try settlement(of: conflict, by: mergePolicy) else {
                throw SaveError(unsettled: conflicts.compactMap(\.self))
            }
            settlements.append(settlement)
        }
        for (version, settlement) in zip(stored, settlements) {
            guard let settlement, let object = identities.find(version.key) else { continue }
            noteArrival(object, version.row == nil && version.duplicate == nil ? .deleted : .updated)
            if let duplicate = version.duplicate {
                try settle(object, duplicate, by: settlement)
            } else if let row = version.row {
                try settle(object, against: row, by: settlement)
            } else {
                settleDeletedElsewhere(object)
            }
        }
        try propagateDeletionsOrThrow()
        endEventOfMerge()
        try validateChanges()
    }

    /// Nil if the save is to throw.
    private func settlement(of conflict: MergeConflict, by policy: MergePolicy) throws -> Settlement? {
        switch policy {
        case .error: return nil
        case .mergeByPropertyStoreTrump: return .storeTrump
        case .mergeByPropertyObjectTrump: return .objectTrump
        case .overwrite: return .overwrite
        case .rollback: return .rollback
        case .decided(let decider):
            switch try decider.decide(conflict) {
            case .policy(let policy): return try settlement(of: conflict, by: policy)
            case .values(let values):
                let entity = directory.layout(of: conflict.storedObjectID.key).entity
                for (key, value) in values { try entity.requireSettable(value, forKey: key) }
                return .values(values)
            }
        }
    }

    // MARK: Versions

    private func settle(_ object: ManagedObject, against row: Row, by settlement: Settlement) throws {
        object.state.remove(.outdated)
        if object.state.contains(.deleted) {
            if settlement.deletes {
                object.adopt(row)
                // The delete rules apply to what the object leads to by now.
                for relation in object.toManys { relation.unload() }
                object.state.remove(.propagated)
            } else {
                revive(object, as: row)
            }
        } else if let draft = object.draft, let base = draft.base {
            defer { settleMemberships(of: object, before: [base.pointer, UnsafeRawPointer(draft.row)], in: row) }
            switch settlement {
            case .objectTrump: rebase(object, draft, onto: row)
            case .overwrite:
                // The same values over the newer version: every slot that differs from the stored row is written.
                draft.base = row
            case .storeTrump: keepUncontested(object, row)
            case .rollback, .values: takeBackChanges(of: object, onto: row)
            }
            claimDestinations(of: object, over: row)
        }
        if case .values(let values) = settlement { try set(values, of: object) }
    }

    /// Where the object's own to-ones win, those that the stored row leads to one-to-one have the object no more.
    private func claimDestinations(of object: ManagedObject, over row: Row) {
        guard let draft = object.draft else { return }
        let layout = object.home.layout
        layout.changedSlots(of: draft).forEach { slot in
            guard let inverse = layout.entity.properties[slot].relationship?.inverse, !inverse.isToMany,
                let destination = ObjectKey(slot: RowFormat.word(row.pointer, slot)).map({ self.object(for: $0) })
            else { return }
            let other = destination.row ?? fulfill(destination)
            if RowFormat.word(other, inverse.slot) == object.key.rawValue { putToOne(inverse, of: destination, nil) }
        }
    }

    /// Drops the changes of slots that the store has changed as well.
    private func keepUncontested(_ object: ManagedObject, _ row: Row) {
        guard let draft = object.draft, let base = draft.base else { return }
        let layout = object.home.layout
        var contested = SlotSet()
        layout.changedSlots(of: draft).forEach { slot in
            if !layout.isEqual(slot, base.pointer, row.pointer) { contested.insert(slot) }
        }
        takeBack(contested, of: object, like: row)
        if let draft = object.draft { rebase(object, draft, onto: row) }
    }

    /// Drops the changes of an object's values: it is what a row says.
    func takeBackChanges(of object: ManagedObject, onto row: Row) {
        let layout = object.home.layout
        if let draft = object.draft { takeBack(layout.changedSlots(of: draft), of: object, like: row) }
        adopt(row, as: object)
        // Links have no version and meet nobody: they stay.
        if !object.toManys.contains(where: \.hasChanges) { object.state.remove(.updated) }
    }

    /// Gives slots of a draft the values of a row, and keeps the inverses of to-ones equal. The base is left out of it: what
    /// the slots held before the change counts no more.
    func takeBack(_ slots: SlotSet, of object: ManagedObject, like row: Row) {
        let layout = object.home.layout
        slots.forEach { slot in
            if let relationship = layout.entity.properties[slot].relationship {
                let key = ObjectKey(slot: RowFormat.word(row.pointer, slot))
                setToOne(relationship, of: object, to: key.map { self.object(for: $0) })
            }
            guard let draft = object.draft, let base = draft.base else { return }
            // Equal to the base, the slot is no change any more.
            layout.copy(slot, from: base.pointer, to: draft)
            object.row = UnsafeRawPointer(draft.row)
        }
    }

    /// The object is gone from the store: there is nothing left to update or delete, and nothing may lead to it.
    private func settleDeletedElsewhere(_ object: ManagedObject) {
        forgetMemberships(of: object)
        for relationship in object.home.layout.relationships where relationship.inverse?.isToMany == false {
            if !relationship.isToMany, !object.state.contains(.deleted) { detach(object, relationship) }
        }
        object.state.remove([.updated, .deleted])
        object.state.insert(.inaccessible)
        object.adopt(object.home.layout.emptyRow)
    }

    // MARK: Values

    /// Sets what a policy of the user has decided; `requireSettable` took it.
    func set(_ values: [String: ManagedValue], of object: ManagedObject) throws {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { try object.setValue(value, forKey: key) }
    }
}

extension Entity {
    /// Throws unless a value can be set by name.
    func requireSettable(_ value: ManagedValue, forKey key: String) throws(FetchError) {
        switch propertiesByName[key] {
        case .attribute(let attribute):
            if !attribute.accepts(value) { throw FetchError.wrongValue(value, attribute, self) }
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, self) }
            switch value {
            case .null: break
            case .object(let id):
                let entity = id.directory.layout(of: id.key).entity
                if !entity.isKind(of: relationship.destination) {
                    throw FetchError.wrongDestination(entity, relationship)
                }
            default: throw FetchError.notAnObject(value, relationship)
            }
        case nil: throw FetchError.noProperty(key, self)
        }
    }
}

extension SaveError {
    /// Conflicts that no policy settles.
    init(unsettled conflicts: [MergeConflict]) {
        let first = conflicts.first
        let names = Set(conflicts.map(\.objectID.entityName)).sorted().joined(separator: ", ")
        if let duplicate = conflicts.first(where: { !$0.constraint.isEmpty }), first?.constraint.isEmpty == false {
            self.init(
                .constraintConflict,
                """
                \(conflicts.count) objects (\(names)) have values that must be unique and that another object has already: \
                \(duplicate.constraint.joined(separator: ", ")) of \(duplicate.objectID.entityName). Look for the other \
                one first (fetchOrCreate), change one of the two, or give the context another merge policy.
                """,
                entityName: first?.objectID.entityName, objectID: first?.objectID, conflicts: conflicts)
            return
        }
        self.init(
            .mergeConflict,
            """
            \(conflicts.count) objects (\(names)) were changed by others since they were read. Refresh them and save \
            again, or give the context another merge policy.
            """,
            entityName: first?.objectID.entityName, objectID: first?.objectID, conflicts: conflicts)
    }
}
