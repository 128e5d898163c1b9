extension ManagedObjectContext {
    /// Checks the numbered invariants of the context, of its identity map, of its objects, and of its family. Examines
    /// all objects and reads nothing from stores; for tests.
    package func checkInvariants() throws(InvariantViolation) {
        try identities.checkInvariants()
        for object in identities.objects {
            try checkReachable(from: object)
            try checkCleanValues(of: object)
            try object.checkInvariants()
        }
        try checkChanged()
        try require(
            stores.callsAtWork == 0, in: Self.machine, invariant: 6,
            otherwise: "\(stores.callsAtWork) calls have not ended")
        try checkJournal()
        try require(
            stores.snapshot?.isScarce != true, in: Self.machine, invariant: 6,
            otherwise: "the last snapshot of a store is still open")
        let (shown, standing) = (stores.snapshot?.generation, stores.generation)
        try require(
            shown ?? standing >= standing, in: Self.machine, invariant: 3,
            otherwise: "a snapshot of \(shown as Any) at \(standing)")
        try checkFamilyInvariants()
    }

    private static var machine: String { "ManagedObjectContext" }

    private func checkReachable(from object: ManagedObject) throws(InvariantViolation) {
        try require(
            object.home.context === self, in: Self.machine, invariant: 1,
            otherwise: "\(object.key) belongs to another context")
        for relation in object.toManys {
            for member in relation.members {
                let isKnown = member.home.context === self && (member.registration >= 0 || member.isDeleted)
                try require(
                    isKnown, in: Self.machine, invariant: 1,
                    otherwise: "\(member.key) in \(relation.relationship.name) of \(object.key) is not registered")
            }
        }
    }

    private func checkChanged() throws(InvariantViolation) {
        var seen: Set<ObjectIdentifier> = []
        for object in work.changed {
            try require(
                seen.insert(ObjectIdentifier(object)).inserted, in: Self.machine, invariant: 2,
                otherwise: "\(object.key) is listed twice")
            try require(
                object.state.contains(.tracked), in: Self.machine, invariant: 2,
                otherwise: "\(object.key) is listed but not marked as listed")
        }
        try work.valueIndexes.checkInvariants(work.changed)
        for object in identities.objects where object.hasChanges || object.draft != nil {
            let number = object.hasChanges ? 2 : 5
            try require(
                seen.contains(ObjectIdentifier(object)), in: Self.machine, invariant: number,
                otherwise: "\(object.key) has changes but is not listed")
        }
        for object in identities.objects {
            guard let draft = object.draft else { continue }
            try require(
                seen.contains(ObjectIdentifier(object)), in: Self.machine, invariant: 5,
                otherwise: "\(object.key) may be released although it has changes")
            try require(
                !draft.isSealed, in: Self.machine, invariant: 7, otherwise: "\(object.key) has changes but no draft")
        }
    }

    private func checkCleanValues(of object: ManagedObject) throws(InvariantViolation) {
        guard followsCommits, object.draft == nil, let row = object.storedRow, !object.isDeleted else { return }
        guard case .row(let cached) = coordinator.cachedRow(for: object.key, at: stores.generation) else { return }
        try require(
            row.version == cached.version, in: Self.machine, invariant: 4,
            otherwise: "\(object.key) has version \(row.version); at \(stores.generation) it has \(cached.version)")
    }

    /// Checks the numbered invariants of `ContextFamily`, for this context and its descendants. Examines all objects and
    /// reads nothing from stores; for tests.
    package func checkFamilyInvariants() throws(InvariantViolation) {
        let name = "ContextFamily"
        if let parent {
            try require(
                parent.children.contexts.contains { $0 === self }, in: name, invariant: 1,
                otherwise: "a parent does not list its child")
        }
        for object in identities.objects {
            try require(
                presentKey(object.key) == object.key, in: name, invariant: 2,
                otherwise: "\(object.key) was replaced by \(presentKey(object.key)) in a parent")
            for slot in object.home.layout.toOneSlots {
                guard let row = object.row, let key = ObjectKey(slot: RowFormat.word(in: row, at: slot)) else {
                    continue
                }
                try require(
                    presentKey(key) == key, in: name, invariant: 2,
                    otherwise: "\(object.key) refers to \(key), which was replaced by \(presentKey(key))")
            }
        }
        for child in children.contexts { try child.checkFamilyInvariants() }
    }
}

extension ManagedObject {
    /// Checks the numbered list of fields, and the to-manys.
    final nonisolated func checkInvariants() throws(InvariantViolation) {
        let name = "ManagedObject"
        if let draft {
            try require(
                row == UnsafeRawPointer(draft.row), in: name, invariant: 1,
                otherwise: "\(key) does not read from its draft")
        } else {
            let lies = (row == nil) == (block == nil || block?.partial != nil)
            try require(
                lies, in: name, invariant: 1, otherwise: "\(key) has a row without a block, or a block without a row")
            try require(!isInserted, in: name, invariant: 2, otherwise: "\(key) was never saved and has no draft")
        }
        for relation in toManys { try relation.checkInvariants() }
    }
}

extension ToManyRelation {
    /// Checks the numbered invariants of the design note, without accessing the store.
    func checkInvariants() throws(InvariantViolation) {
        let name = "ToManyRelation"
        if isLoaded {
            let holds = added.isSubset(of: members) && removed.isDisjoint(with: members)
            try require(
                holds, in: name, invariant: 1,
                otherwise: "\(relationship.name) lacks an added object, or contains a removed one")
        }
        try require(
            added.isDisjoint(with: removed), in: name, invariant: 2,
            otherwise: "\(relationship.name) adds and removes the same object")
        guard relationship.isOrdered else { return }
        let places = Set(order)
        let isWhole = isLoaded ? places == members : isReordered || places == added
        try require(
            isWhole && places.count == order.count && added.isSubset(of: places), in: name, invariant: 3,
            otherwise: "\(relationship.name) orders \(order.count) objects, which are not its members")
    }
}

extension ManagedObjectContext {
    /// Checks the numbered invariants of ``EventJournal``'s design note, if there is a journal. Examines everything; for
    /// tests.
    package func checkJournal() throws(InvariantViolation) {
        guard let journal else { return }
        let name = "EventJournal"
        try require(
            journal.places.count == journal.touched.count, in: name, invariant: 1, otherwise: "an object has two images"
        )
        for (place, image) in journal.touched.enumerated() {
            let found = journal.places[ObjectIdentifier(image.object)]
            try require(
                found == place, in: name, invariant: 1, otherwise: "an image at \(place) is found at \(found as Int?)")
        }
        for object in work.changed where journal.places[ObjectIdentifier(object)] == nil {
            try require(
                object.draft?.isWatched ?? true, in: name, invariant: 2,
                otherwise: "\(object.key) can change without being recorded")
        }
        try require(
            journal.isNeeded || !work.changed.isEmpty, in: name, invariant: 3, otherwise: "nobody reads the journal")
        try require(
            journal.told.isEmpty || stores.callsAtWork > 0, in: name, invariant: 4,
            otherwise: "an event is still being delivered")
    }
}
