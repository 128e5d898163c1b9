/// Determines the objects that a notice may insert, delete or move in the list.
///
/// A notice names the objects that have changed. If the list's condition or order reads values of related objects, the
/// objects whose path leads to a changed one are affected too; they are found over the inverses. A path over a relationship
/// without an inverse is not followed.
extension ResultFollower {
    /// Returns `true` if the changes lead to all objects that they may insert, delete or move in the list.
    ///
    /// They do not if they name too little, or if nothing remains to be followed:
    /// - A batch request tells neither what its objects referred to before, nor which many-to-manys have lost a link.
    /// - Rows may refer to an object that others have deleted, and the object leads to none of them any more.
    func isTraceable(_ changes: ObjectChanges) -> Bool {
        if changes.isEverything { return false }
        let batches = context.coordinator.notices
        if batches.hasBatch(ofEntitiesAt: request.relatedEntities, after: batchesFollowed) { return false }
        let dangling = request.danglingEntities
        if dangling.isEmpty { return true }
        let gone = (changes.deleted + changes.untold).filter { $0.state.contains(.inaccessible) }
        return !gone.contains { dangling.contains($0.entity.index) }
            && !(changes.deletedElsewhere + changes.untoldElsewhere).contains { dangling.contains($0.entityIndex) }
    }

    func verdicts(on changes: ObjectChanges) throws -> [ResultVerdict] {
        let come = changes.inserted + changes.deleted + changes.invalidated
        let changed = changes.changedForLists
        let elsewhere = (changes.insertedElsewhere + changes.updatedElsewhere).filter { concerns($0.entityIndex) }
        var candidates = Candidates(fetch: request.fetch)
        candidates.add(changed, areChanged: true)
        candidates.add(come, areChanged: false)
        // Most events of a context do not concern most of its lists.
        let others = (changed + come).filter { leadsHere($0.entity) }
        if candidates.isEmpty, others.isEmpty, elsewhere.isEmpty { return [] }
        // By itself if the event could not keep its snapshot.
        context.faults.beginInOneState()
        defer { context.endCall() }
        try context.faults.loadRows(of: Array(elsewhere))
        let found = elsewhere.compactMap(context.identities.find)
        // An object that the context did not know was in no list. If it is in this one now, it has been fetched since.
        candidates.add(found, areChanged: false)
        let related = others + found
        // A refresh has made faults of those that others have deleted.
        let deleted = others.filter(\.isDeleted) + changes.deleted.filter { leadsHere($0.entity) }
        let holders = related.isEmpty ? [] : try holders(beside: deleted)
        candidates.add(holders, areChanged: false)
        for path in request.dependencies {
            candidates.add(try objects(along: path, leadsTo: related + holders), areChanged: false)
        }
        return try verdicts(on: candidates)
    }

    private func verdicts(on candidates: Candidates) throws -> [ResultVerdict] {
        // Discard objects that do not concern the list, by far the most in an import, before reading more for them.
        let objects = candidates.objects
        try context.faults.loadRows(
            of: objects.filter { $0.isFault && !$0.isDeleted && $0.registration >= 0 }.map(\.key))
        let present = objects.filter(isPresent)
        try context.faults.prefetch(request.dependencies, of: present)
        return try context.faults.evaluating {
            try objects.compactMap { object in
                let isResult = try isResult(object)
                if !isResult, list?.entries[ObjectIdentifier(object)] == nil { return nil }
                return ResultVerdict(
                    object: object, place: isResult ? request.place(of: object) : nil,
                    isChanged: candidates.isChanged(object))
            }
        }
    }

    func isResult(_ object: ManagedObject) throws -> Bool {
        try isPresent(object) && request.fetch.matches(object) && isShown(object)
    }

    private func isPresent(_ object: ManagedObject) -> Bool {
        object.presence == .present && !object.isDeleted && !object.isFault
    }

    // MARK: Related objects

    /// Returns `true` if one of the changed objects may be a result, or affect the position of one.
    func concern(_ changes: ObjectChanges) -> Bool {
        let here = [
            changes.inserted, changes.updated, changes.deleted, changes.refreshed, changes.invalidated, changes.untold,
        ]
        let elsewhere = [
            changes.insertedElsewhere, changes.updatedElsewhere, changes.deletedElsewhere, changes.untoldElsewhere,
        ]
        return here.contains { $0.contains { concerns($0.entity.index) } }
            || elsewhere.contains { $0.contains { concerns($0.entityIndex) } }
    }

    /// Returns `true` if an object of an entity may be a result, or affect the position of one.
    private func concerns(_ entityIndex: Int) -> Bool {
        let entity = context.directory.model.entities[entityIndex]
        return request.fetch.includes(entity) || leadsHere(entity)
    }

    /// Returns `true` if the results read values of one of the changed objects over a relationship.
    func leadsHere(_ changes: ObjectChanges) -> Bool {
        [changes.inserted, changes.updated, changes.deleted].contains { $0.contains { leadsHere($0.entity) } }
    }

    private func leadsHere(_ entity: Entity) -> Bool {
        request.dependencies.contains { path in path.contains { entity.isKind(of: $0.destination) } }
    }

    /// Returns the fetch's objects whose position depends on unsaved changes of others, each once.
    func objectsBehindChanges(until deadline: ContinuousClock.Instant?) throws -> [ManagedObject] {
        let changed = Array(context.work.changed.filter { $0.hasChanges && leadsHere($0.entity) })
        if changed.isEmpty { return [] }
        let gone = unsavedDeletions()
        let holders =
            try holders(ofGone: gone)
            + storedHolders(ofGone: gone, over: request.toOneDependencies, until: deadline)
        var candidates = Candidates(fetch: request.fetch)
        candidates.add(holders, areChanged: false)
        for path in request.dependencies {
            candidates.add(try objects(along: path, leadsTo: changed + holders), areChanged: false)
        }
        return candidates.objects
    }

    /// Returns the objects that are deleted here, unsaved, and whose values may affect the list.
    private func unsavedDeletions() -> [ManagedObject] {
        context.work.changed.filter { $0.isDeleted && $0.hasChanges && leadsHere($0.entity) }
    }

    /// Returns the objects whose to-one refers to one that was deleted here or elsewhere, for an event that may affect the
    /// list.
    private func holders(beside deleted: [ManagedObject]) throws -> [ManagedObject] {
        let unsaved = unsavedDeletions()
        // The rules nullify and cascade have changed those that referred to it, and notices name later ones.
        let steps = request.toOneDependencies.filter { step in
            step.inverse.map { $0.deleteRule == .noAction || $0.deleteRule == .deny } ?? true
        }
        return try holders(ofGone: unsaved + deleted) + storedHolders(ofGone: unsaved, over: steps, until: nil)
    }

    /// Returns the known objects whose to-one still refers to a deleted object. The reference was set without knowledge of
    /// the deletion, and nothing leads back to them.
    private func holders(ofGone objects: [ManagedObject]) -> [ManagedObject] {
        let gone = Set(objects.map(\.key))
        if gone.isEmpty { return [] }
        return context.identities.objects.filter { object in
            !object.isFault
                && request.toOneDependencies.contains { step in
                    object.entity.isKind(of: step.entity) && object.toOneKey(step.slot).map(gone.contains) == true
                }
        }
    }

    /// Returns the objects whose to-one refers to a deleted object in the store, those that the context does not know
    /// included. Others may have saved the reference without knowledge of the deletion, and until the save the deleted object
    /// counts with its values here.
    ///
    /// Reads the generation of the fetch that this belongs to.
    private func storedHolders(
        ofGone objects: [ManagedObject], over steps: [Entity.Relationship], until deadline: ContinuousClock.Instant?
    ) throws -> [ManagedObject] {
        if objects.isEmpty { return [] }
        var holders: [ManagedObject] = []
        // The store knows no transient relationship, and no key of an object that was never saved.
        for step in steps where !step.isTransient {
            let gone = objects.filter { !$0.key.isTemporary && $0.entity.isKind(of: step.destination) }
            if gone.isEmpty { continue }
            var question = FetchRequest(entityName: step.entity.name)
            question.condition = .compare(step.name, .isIn, .list(gone.map { .object($0.anyObjectID) }))
            var fetch = try ResolvedFetch(question, model: context.directory.model)
            fetch.deadline = deadline
            context.root.readRegion?.add(fetch)
            holders += try context.objects(fetch)
        }
        return holders
    }

    /// Returns the objects at the start of a path that passes through or ends at one of some objects.
    private func objects(
        along path: [Entity.Relationship], leadsTo ends: [ManagedObject]
    ) throws -> [ManagedObject] {
        if ends.isEmpty { return [] }
        var level: [ManagedObject] = []
        for step in path.reversed() {
            // A path may be entered at each of its steps.
            level += ends.filter { $0.presence == .present && !$0.isDeleted && $0.entity.isKind(of: step.destination) }
            guard let inverse = step.inverse else {
                level = []
                continue
            }
            let once = Array(Set(level))
            try context.faults.loadRows(of: once.filter(\.isFault).map(\.key))
            level = try context.faults.prefetch(inverse, of: once.filter(isPresent))
        }
        return level
    }
}

extension ObjectChanges {
    /// The objects whose values may differ from those that a list has shown. A list that was fetched during the event may
    /// have shown new objects, and values that were set back.
    var changedForLists: [ManagedObject] { updated + refreshed + untold + inserted.filter(\.isInserted) }
}

/// **Confined.** The objects to examine, each once.
private struct Candidates {
    private let fetch: ResolvedFetch
    private(set) var objects: [ManagedObject] = []
    private var known: Set<ObjectIdentifier> = []
    private var changed: Set<ObjectIdentifier> = []

    init(fetch: ResolvedFetch) { self.fetch = fetch }

    var isEmpty: Bool { objects.isEmpty }

    func isChanged(_ object: ManagedObject) -> Bool { changed.contains(ObjectIdentifier(object)) }

    mutating func add(_ more: [ManagedObject], areChanged: Bool) {
        for object in more where fetch.includes(object.entity) {
            if known.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
            if areChanged { changed.insert(ObjectIdentifier(object)) }
        }
    }
}

@available(*, unavailable)
extension Candidates: Sendable {}
