/// The phases before the transaction of a save: delete rules, `willSave`, and validation, each repeated until nothing
/// changes.
extension UnitOfWork {
    /// Completes the unsaved changes to their final form for the stores.
    ///
    /// - Throws: ``SaveError`` for objects that must not be saved, and for objects whose hooks keep changing them;
    ///   ``StoreError`` if rows that are needed cannot be read.
    func prepareToSave() throws {
        try withContext { context in try whilePreparingSave { try prepare(in: context) } }
    }

    /// Throws an error if a hook, an observer or a merge policy saves the context whose save has called it, which would
    /// call it again and again.
    func requireNotPreparingSave() throws {
        if isPreparingSave { throw SaveError.savedWhileSaving }
    }

    /// Calls a part of a save that may call hooks, observers or merge policies.
    ///
    /// - Throws: ``SaveError`` if one of them has tried to discard what is being saved; the errors of `body`.
    func whilePreparingSave<Result>(_ body: () throws -> Result) throws -> Result {
        if isPreparingSave { return try body() }
        isPreparingSave = true
        defer { (isPreparingSave, refusedCall) = (false, nil) }
        let result = try body()
        if let refusedCall { throw SaveError.called(refusedCall) }
        return result
    }

    /// Returns `true` for a call that code of a running save must not make: the call does nothing, and the save fails.
    func refuses(_ call: StaticString) -> Bool {
        if isPreparingSave { refusedCall = call }
        return isPreparingSave
    }

    private func prepare(in context: ManagedObjectContext) throws {
        if hasDraftsWithoutRow { try readRowsOfDrafts() }
        defer { context.journal?.forgetTold() }
        let isOfDelayedRules = context.endEventBeforeDelayedRules()
        try context.graph.propagateDeletionsOrThrow()
        if !context.followsCommits { try claimOneToOnes() }
        context.endEvent(isOfDelayedRules: isOfDelayedRules)
        var isTold = false
        try callHooks(on: changed, in: context) {
            if !isTold { context.tell(.willSave(context.changesToSave)) }
            isTold = true
        }
        // Changes made by hooks and observers belong to the save.
        context.endEvent(isOfSave: true)
    }

    /// Removes changed objects from the one-to-ones that they have left. In a context that keeps the values it has read,
    /// the two ends may be of different generations: the end that was left has another value here, and would otherwise
    /// keep its value in the store.
    private func claimOneToOnes() throws {
        for object in changed {
            guard let base = object.draft?.base else { continue }
            try context.graph.claimDestinations(of: object, over: base)
        }
    }

    /// Prepares the objects that delete rules have reached when they were applied again, as the other objects of the save
    /// were prepared. This belongs to the same step.
    func prepareNewcomers() throws {
        let newcomers = writtenObjects(except: [:])
        if newcomers.isEmpty {
            try validateChanges()
        } else {
            try callHooks(on: newcomers, in: context) {}
        }
        context.endEvent(isOfSave: true)
        context.journal?.forgetTold()
    }

    private func callHooks(
        on objects: ContiguousArray<ManagedObject>, in context: ManagedObjectContext, afterWillSave announce: () -> Void
    ) throws {
        try callUntilStable(objects, otherwise: validationDoesNotSettle) { objects in
            try callUntilStable(objects, otherwise: willSaveDoesNotSettle) { objects in
                for object in objects where object.hasChanges { object.willSave() }
                try context.graph.propagateDeletionsOrThrow()
            }
            announce()
            try validateChanges()
            try context.graph.propagateDeletionsOrThrow()
        }
    }

    /// The number of times that hooks are called before a save gives up; the same as in Core Data.
    private static let maximumRounds = 1_000

    /// Calls hooks on objects, and again on those that they have changed, until nothing changes.
    ///
    /// Writes are detected by a mark, which costs nothing. From the second round on, each object is also compared with
    /// its former state: values that are set again but remain equal are not changes.
    private func callUntilStable(
        _ objects: ContiguousArray<ManagedObject>, otherwise failure: (ManagedObject) -> SaveError,
        callHooks: (ContiguousArray<ManagedObject>) throws -> Void
    ) throws {
        var round = objects
        var fingerprints: [ObjectIdentifier: ObjectFingerprint] = [:]
        var rounds = 0
        while !round.isEmpty {
            rounds += 1
            if rounds > Self.maximumRounds, let object = round.first { throw failure(object) }
            if rounds > 1 { fingerprints = takeFingerprints(at: round) }
            for object in round { object.state.remove(.written) }
            try callHooks(round)
            round = writtenObjects(except: fingerprints)
        }
    }

    private func takeFingerprints(at objects: ContiguousArray<ManagedObject>) -> [ObjectIdentifier: ObjectFingerprint] {
        var arena = RowArena()
        return Dictionary(
            uniqueKeysWithValues: objects.map { (ObjectIdentifier($0), ObjectFingerprint(at: $0, in: &arena)) })
    }

    /// Returns the objects that were written since the mark was last removed from them. Removes the mark from those that
    /// are unchanged.
    private func writtenObjects(except fingerprints: [ObjectIdentifier: ObjectFingerprint]) -> ContiguousArray<
        ManagedObject
    > {
        var written: ContiguousArray<ManagedObject> = []
        for object in changed where object.state.contains(.written) {
            if let fingerprint = fingerprints[ObjectIdentifier(object)], fingerprint.isCurrent(of: object) {
                object.state.remove(.written)
            } else {
                written.append(object)
            }
        }
        return written
    }

    /// Reads the rows that could not be read when their objects were changed.
    private func readRowsOfDrafts() throws {
        for object in changed {
            guard let draft = object.draft, draft.base?.pointer == object.home.layout.emptyRow.pointer,
                let row = try context.faults.storedRow(of: object.key)
            else { continue }
            context.rebase(object, draft: draft, onto: row)
        }
        hasDraftsWithoutRow = false
    }

    private func willSaveDoesNotSettle(_ object: ManagedObject) -> SaveError {
        SaveError(
            .willSaveDoesNotSettle,
            """
            willSave of \(object.entity.name) changes objects each time it is called, so the save never ends. Change \
            only what differs, or set values with setPrimitiveValue.
            """, entityName: object.entity.name, objectID: object.anyObjectID)
    }

    private func validationDoesNotSettle(_ object: ManagedObject) -> SaveError {
        SaveError(
            .validationDoesNotSettle,
            """
            Validation of \(object.entity.name) changes objects each time it runs, so the save never ends. Make sure \
            that validateValue does not change the values it has already corrected.
            """, entityName: object.entity.name, objectID: object.anyObjectID)
    }
}

extension SaveError {
    /// The error for a save inside of a save.
    static let savedWhileSaving = SaveError(
        .savedWhileSaving,
        """
        The context is already being saved: willSave, validation, an observer of the save, its merge policy or a hook of \
        an import called save() or commit(). Only change objects there; the running save or import includes those changes.
        """)

    /// The error for other calls inside of a save, which would discard what is being saved.
    static func called(_ call: StaticString) -> SaveError {
        SaveError(
            .savedWhileSaving,
            """
            willSave, validation, an observer of the save, its merge policy or a hook of an import called \(call) of the \
            context that is being saved, which did nothing. Throw an error there to refuse the save, or a row of an import.
            """)
    }

    /// The error for a store or an id of a new object whose commit has begun.
    static func alreadyCommitting(_ object: ManagedObject) -> SaveError {
        SaveError(
            .savedWhileSaving,
            """
            This \(object.entity.name) is being committed by a draft, which determines its store and its permanent id. \
            Await the commit first.
            """, entityName: object.entity.name, objectID: object.anyObjectID)
    }
}
