/// **Confined.** Resolves the conflicts of one attempt to save, for changes that a store cannot write as they are: first
/// every conflict is decided, then the decisions are applied, and then the save is tried again.
final class ConflictResolver: ContextPart {
    /// **Value.** The decision about one conflict.
    enum Settlement {
        case storeTrump, objectTrump, overwrite, rollback
        case values([String: ManagedValue])

        /// Indicates whether a deletion is kept.
        var deletes: Bool {
            switch self {
            case .objectTrump, .overwrite: true
            case .storeTrump, .rollback, .values: false
            }
        }
    }

    /// Deletions that are kept although others refer to the objects, or have come to.
    var deletions: [(object: ManagedObject, reference: BrokenReference)] = []
    var replacements = ReplacedObjects()

    init(_ context: ManagedObjectContext) {
        super.init(coordinator: context.coordinator, identities: context.identities)
        attach(to: context)
    }

    /// Resolves conflicts by the merge policy, so that the save can be tried again.
    ///
    /// - Throws: ``SaveError`` with all conflicts if the policy is to throw or no attempts are left, and for objects that
    ///   are no longer valid; the errors of a custom policy.
    func resolve(_ stored: [StoredVersion], isLastAttempt: Bool) throws {
        var stored = stored
        var settlements = try settlements(of: stored, isLastAttempt: isLastAttempt)
        // From here on the context has the commits of others, since the rules below must see them. By now there may be
        // more commits than the conflicting ones; decisions based on two different states would not be consistent.
        if !isSavedIntoParent {
            try context.advanceToReadAgain()
            if let current = try currentVersions(of: stored) {
                stored = current
                settlements = try self.settlements(of: stored, isLastAttempt: isLastAttempt)
            }
            try refreshUnchangedDrafts()
            context.postExternalChanges()
        }
        let departed = departedNewObjects()
        // Whatever follows: even if the save fails, what has been resolved by then stays resolved.
        defer { tellChildren(departedBefore: departed) }
        var claims: [(object: ManagedObject, row: Row)] = []
        for (version, settlement) in zip(stored, settlements) {
            // The resolution of another conflict may have resolved this one.
            guard let object = identities.find(version.key) else { continue }
            try settle(object, against: version, by: settlement)
            if let row = version.row, version.reference == nil, version.duplicate == nil {
                claims.append((object, row))
            }
        }
        // After all of them, because until then the other ends may have their previous values.
        for (object, row) in claims { try context.graph.claimDestinations(of: object, over: row) }
        redirectReplaced()
        context.endEventOfMerge()
        // Objects that delete rules reach from here on are new to the save.
        for object in context.work.changed { object.state.remove(.written) }
        propagateAgain()
        try prepareRules()
        try context.graph.propagateDeletionsOrThrow()
        try context.work.prepareNewcomers()
    }

    private func settlements(of stored: [StoredVersion], isLastAttempt: Bool) throws -> [Settlement] {
        let conflicts = stored.compactMap(conflict)
        // A conflict of an object that the context does not know cannot be resolved, and the next attempt would meet it
        // again.
        if conflicts.count < stored.count { throw SaveError(unsettledKeys: stored.map(\.key), context.directory) }
        if isLastAttempt { throw SaveError(unsettled: conflicts) }
        return try zip(stored, conflicts).map { version, conflict in
            // A row that is only incremented has no two sides to choose from: the amount goes onto the stored value.
            if version.isOfVersions, let object = identities.find(version.key), object.isOnlyIncremented {
                return .objectTrump
            }
            guard let settlement = try settlement(of: conflict, by: context.mergePolicy) else {
                throw SaveError(unsettled: conflicts)
            }
            return settlement
        }
    }

    /// The same where the context stands now; nil if nothing has changed since.
    private func currentVersions(of stored: [StoredVersion]) throws -> [StoredVersion]? {
        var isChanged = false
        let current = try stored.map { version in
            guard version.reference == nil, version.duplicate == nil, let known = version.row else { return version }
            let row = try context.faults.storedRow(of: version.key)
            // The row cache may have an older row, from before a commit that has not been announced.
            if let row, row.version <= known.version { return version }
            isChanged = true
            return StoredVersion(key: version.key, row: row)
        }
        return isChanged ? current : nil
    }

    /// Moves drafts without differences onto the rows that others have committed. Their objects are not part of the
    /// conflicts, and would otherwise show their former values at the other end of a one-to-one.
    private func refreshUnchangedDrafts() throws {
        for object in context.work.changed where !context.followsCommits || object.state.contains(.outdated) {
            guard let draft = object.draft, let base = draft.base, !object.state.contains(.deleted),
                object.home.layout.changedSlots(of: draft).isEmpty,
                let row = try context.faults.storedRow(of: object.key),
                row.version > base.version
            else { continue }
            context.noteExternalChange(of: object, as: .updated)
            context.rebase(object, draft: draft, onto: row)
        }
    }

    private func settle(_ object: ManagedObject, against version: StoredVersion, by settlement: Settlement) throws {
        if let reference = version.reference { return try settle(object, reference: reference, by: settlement) }
        context.noteExternalChange(of: object, as: version.row == nil && version.duplicate == nil ? .deleted : .updated)
        if let duplicate = version.duplicate {
            try settle(object, with: duplicate, by: settlement)
        } else if let row = version.row {
            try settle(object, against: row, by: settlement)
        } else {
            try settlePartners(of: object, by: settlement)
            settleDeletedElsewhere(object)
        }
    }

    /// Returns the decision about a conflict, or `nil` if the save is to throw.
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
                let entity = context.directory.layout(of: conflict.storedObjectID.key).entity
                for (key, value) in values { try entity.requireSettable(value, forKey: key) }
                return .values(values)
            }
        }
    }

    // MARK: Versions

    private func settle(_ object: ManagedObject, against row: Row, by settlement: Settlement) throws {
        object.state.remove(.outdated)
        var passed = Increments()
        if case .values(let values) = settlement { passed = increments(of: object, passedOnBy: values) }
        if object.state.contains(.deleted) {
            if settlement.deletes, object.state.contains(.cascaded) {
                try settleCascaded(object, as: row)
            } else if settlement.deletes {
                object.adopt(row)
                // The delete rules apply to the current destinations of the object.
                for relation in object.toManys { relation.unload() }
                object.state.remove(.propagated)
            } else {
                try revive(object, as: row)
            }
        } else if let draft = object.draft, let base = draft.base {
            defer {
                context.graph.settleMemberships(
                    of: object, before: [base.pointer, UnsafeRawPointer(draft.row)], in: row)
            }
            switch settlement {
            case .objectTrump: context.rebase(object, draft: draft, onto: row)
            case .overwrite:
                // The same values over the newer version: every slot that differs from the stored row is written.
                object.moveDraft(onto: row)
            case .storeTrump: keepUncontested(of: object, against: row)
            case .rollback, .values: takeBackChanges(of: object, onto: row)
            }
        } else if !object.isInserted {
            // The resolution of another conflict has discarded its changes.
            context.adopt(row, as: object)
        }
        if case .values(let values) = settlement { try set(values, of: object, keeping: passed) }
    }

    /// Discards the changes of slots that the store has changed as well.
    private func keepUncontested(of object: ManagedObject, against row: Row) {
        guard let draft = object.draft, let base = object.startRow else { return }
        let layout = object.home.layout
        var contested = SlotSet()
        let increments = layout.increments(of: draft)
        layout.changedSlots(of: draft).forEach { slot in
            // A sum goes onto the stored value: both sides have their way.
            if increments?[slot] == nil, !layout.isEqual(slot, in: base.pointer, and: row.pointer) {
                contested.insert(slot)
            }
        }
        takeBack(contested, of: object, like: row)
        if let draft = object.draft { context.rebase(object, draft: draft, onto: row) }
    }

    /// Drops the changes of an object's values: it is what a row says.
    func takeBackChanges(of object: ManagedObject, onto row: Row) {
        let layout = object.home.layout
        if let draft = object.draft { takeBack(layout.changedSlots(of: draft), of: object, like: row) }
        context.adopt(row, as: object)
        // Links have no version and cannot conflict, so their changes stay.
        if !object.toManys.contains(where: \.hasChanges) { object.state.remove(.updated) }
    }

    /// Sets slots of a draft to the values of a row, and updates the inverses of to-ones. The base is not considered,
    /// because the values before the change no longer count.
    func takeBack(_ slots: SlotSet, of object: ManagedObject, like row: Row) {
        let layout = object.home.layout
        slots.forEach { slot in
            if let relationship = layout.entity.properties[slot].relationship {
                let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot))
                context.graph.setToOne(relationship, of: object, to: key.map { context.object(for: $0) })
            }
            guard let draft = object.draft, let base = draft.base else { return }
            // Equal to the base, the slot no longer counts as changed.
            layout.copy(slot, from: base.pointer, to: draft)
            object.row = UnsafeRawPointer(draft.row)
            object.noteUnsavedValues()
        }
    }

    /// The increments of an object whose sums a custom policy passes on as they are. They stay increments: set, they would
    /// undo what others have added.
    func increments(of object: ManagedObject, passedOnBy values: [String: ManagedValue]) -> Increments {
        var passed = Increments()
        guard let draft = object.draft, !object.state.contains(.deleted) else { return passed }
        let layout = object.home.layout
        for (slot, amount) in layout.increments(of: draft)?.amounts ?? [:] {
            guard let attribute = layout.entity.properties[slot].attribute else { continue }
            if values[attribute.name] == attribute.value(in: UnsafeRawPointer(draft.row)) { passed[slot] = amount }
        }
        return passed
    }

    /// Sets the values that a custom policy has decided, after `requireSettable` has accepted them, of an object that is what
    /// its row says.
    func set(
        _ values: [String: ManagedValue], of object: ManagedObject, keeping increments: Increments = Increments()
    ) throws {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            if let slot = object.entity.propertiesByName[key]?.slot, increments[slot] != nil { continue }
            try object.setValue(value, forKey: key)
        }
        guard !increments.amounts.isEmpty, let base = object.storedRow else { return }
        let draft = object.writableDraft
        object.home.layout.write(increments, over: base, to: draft)
        object.row = UnsafeRawPointer(draft.row)
        object.state.insert(.written)
    }

    /// Handles an object that no longer exists in the store: there is nothing left to update or delete, and nothing may
    /// refer to it.
    private func settleDeletedElsewhere(_ object: ManagedObject) {
        context.graph.forgetMemberships(of: object)
        for relationship in object.home.layout.relationships where relationship.inverse?.isToMany == false {
            if !relationship.isToMany, !object.state.contains(.deleted) {
                context.graph.detach(object, from: relationship)
            }
        }
        object.state.remove([.deleted, .cascaded])
        object.state.insert(.inaccessible)
        object.adopt(object.home.layout.emptyRow)
        context.graph.forgetRelations(ofGone: object)
    }
}

extension Entity {
    /// Throws an error unless a value can be set by name.
    func requireSettable(_ value: ManagedValue, forKey key: String) throws(FetchError) {
        switch propertiesByName[key] {
        case .attribute(let attribute):
            if !attribute.accepts(value) { throw FetchError.wrongValue(value, for: attribute, of: self) }
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, of: self) }
            switch value {
            case .null: break
            case .object(let id):
                let entity = id.directory.layout(of: id.key).entity
                if !entity.isKind(of: relationship.destination) {
                    throw FetchError.wrongDestination(entity, of: relationship)
                }
            default: throw FetchError.notAnObject(value, for: relationship)
            }
        case nil: throw FetchError.noProperty(key, of: self)
        }
    }
}

extension SaveError {
    /// Creates an error for conflicts of objects some of which the context no longer knows.
    init(unsettledKeys keys: [ObjectKey], _ directory: ObjectDirectory) {
        let id = keys.first.map { AnyObjectID(key: $0, directory: directory) }
        self.init(
            .mergeConflict,
            """
            \(keys.count) objects were changed by another context since they were read, and were removed from this \
            context during the save. Do not reset or roll back the context in a hook, and save again.
            """,
            entityName: id?.entityName, objectID: id)
    }

    /// Creates an error for conflicts that no policy resolves.
    init(unsettled conflicts: [MergeConflict]) {
        let first = conflicts.first
        let names = Set(conflicts.map(\.objectID.entityName)).sorted().joined(separator: ", ")
        if let duplicate = conflicts.first(where: { !$0.constraint.isEmpty }), first?.constraint.isEmpty == false {
            self.init(
                .constraintConflict,
                """
                \(conflicts.count) objects (\(names)) have unique values that another object already has: \
                \(duplicate.constraint.joined(separator: ", ")) of \(duplicate.objectID.entityName). Look for the \
                existing object first (fetchOrCreate), change one of the two, or give the context another merge \
                policy.
                """,
                entityName: first?.objectID.entityName, objectID: first?.objectID, conflicts: conflicts)
            return
        }
        if first?.relationship != nil {
            let broken = Set(
                conflicts.compactMap { conflict in
                    conflict.relationship.map { "\(conflict.objectID.entityName).\($0)" }
                })
            self.init(
                .mergeConflict,
                """
                \(conflicts.count) objects (\(names)) have relationships that conflict with deletions or changes made \
                by another context: \(broken.sorted().joined(separator: ", ")). Set these relationships again, or \
                undo the deletions, and save again; or give the context another merge policy.
                """,
                entityName: first?.objectID.entityName, objectID: first?.objectID, conflicts: conflicts)
            return
        }
        self.init(
            .mergeConflict,
            """
            \(conflicts.count) objects (\(names)) were changed by another context since they were read. Refresh them \
            and save again, or give the context another merge policy.
            """,
            entityName: first?.objectID.entityName, objectID: first?.objectID, conflicts: conflicts)
    }
}
