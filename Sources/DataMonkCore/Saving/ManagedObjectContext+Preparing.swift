/// What comes before the transaction of a save: delete rules, `willSave`, validation, each until nothing changes any more.
extension ManagedObjectContext {
    /// Makes the unsaved changes what they are to be in the stores.
    ///
    /// - Throws: ``SaveError`` for objects that may not be saved, and for those whose hooks never come to rest;
    ///   ``StoreError`` if rows that are needed cannot be read.
    func prepareToSave() throws {
        try whilePreparingSave { try prepare() }
    }

    /// Throws where a hook, an observer or a merge policy saves the context whose save has called it: that would call it
    /// again, and so on.
    func requireNotPreparingSave() throws {
        if isPreparingSave { throw SaveError.savedWhileSaving }
    }

    /// Calls what may call hooks, observers or merge policies in a save.
    func whilePreparingSave<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = isPreparingSave
        isPreparingSave = true
        defer { isPreparingSave = outer }
        return try body()
    }

    private func prepare() throws {
        if hasDraftsWithoutRow { try readRowsOfDrafts() }
        try propagateDeletionsOrThrow()
        if !followsCommits { try claimOneToOnes() }
        endEvent()
        defer { journal?.forgetTold() }
        var isTold = false
        try callHooks(on: changed) {
            if !isTold { tell(.willSave(changesToSave)) }
            isTold = true
        }
        // What hooks and observers have changed belongs to the save.
        endEvent(isOfSave: true)
    }

    /// Takes changed objects out of the one-to-ones that they have left. A context that keeps what it has read may have
    /// the two ends from two states: the end that was left says something else here, and would go on saying in the store
    /// what it said.
    private func claimOneToOnes() throws {
        for object in changed {
            guard let base = object.draft?.base else { continue }
            try claimDestinations(of: object, over: base)
        }
    }

    /// Prepares what delete rules have reached that were applied again, as the other objects of the save were prepared. It
    /// belongs to the same step.
    func prepareNewcomers() throws {
        let newcomers = writtenObjects(except: [:])
        if newcomers.isEmpty {
            try validateChanges()
        } else {
            try callHooks(on: newcomers) {}
        }
        endEvent(isOfSave: true)
        journal?.forgetTold()
    }

    private func callHooks(on objects: ContiguousArray<ManagedObject>, afterWillSave tell: () -> Void) throws {
        try settle(objects, by: validationDoesNotSettle) { objects in
            try settle(objects, by: willSaveDoesNotSettle) { objects in
                for object in objects where object.hasChanges { object.willSave() }
                try propagateDeletionsOrThrow()
            }
            tell()
            try validateChanges()
            try propagateDeletionsOrThrow()
        }
    }

    /// How often hooks are called before a save gives up; Core Data's number.
    private static let maximumRounds = 1_000

    /// Calls hooks on objects, and again on those that they have changed, until they change nothing.
    ///
    /// What is written is seen by a mark, which costs nothing. From the second round on a look at each object tells
    /// whether it is another one than before: values that are set again, and are the same, are no change.
    private func settle(
        _ objects: ContiguousArray<ManagedObject>, by failure: (ManagedObject) -> SaveError,
        _ callHooks: (ContiguousArray<ManagedObject>) throws -> Void
    ) throws {
        var round = objects
        var looks: [ObjectIdentifier: ObjectLook] = [:]
        var rounds = 0
        while !round.isEmpty {
            rounds += 1
            if rounds > Self.maximumRounds, let object = round.first { throw failure(object) }
            if rounds > 1 { looks = takeLooks(at: round) }
            for object in round { object.state.remove(.written) }
            try callHooks(round)
            round = writtenObjects(except: looks)
        }
    }

    private func takeLooks(at objects: ContiguousArray<ManagedObject>) -> [ObjectIdentifier: ObjectLook] {
        var arena = RowArena()
        return Dictionary(
            uniqueKeysWithValues: objects.map { (ObjectIdentifier($0), ObjectLook(at: $0, in: &arena)) })
    }

    /// The objects that were written since the mark was last taken off them. It is taken off those that are what they
    /// were.
    private func writtenObjects(except looks: [ObjectIdentifier: ObjectLook]) -> ContiguousArray<ManagedObject> {
        var written: ContiguousArray<ManagedObject> = []
        for object in changed where object.state.contains(.written) {
            if let look = looks[ObjectIdentifier(object)], look.isCurrent(of: object) {
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
                let row = try storedRow(of: object.key)
            else { continue }
            rebase(object, draft, onto: row)
        }
        hasDraftsWithoutRow = false
    }

    private func willSaveDoesNotSettle(_ object: ManagedObject) -> SaveError {
        SaveError(
            .willSaveDoesNotSettle,
            """
            willSave of \(object.entity.name) goes on changing objects. Let it come to values that stay, or set them by \
            setPrimitiveValue.
            """, entityName: object.entity.name, objectID: object.anyObjectID)
    }

    private func validationDoesNotSettle(_ object: ManagedObject) -> SaveError {
        SaveError(
            .validationDoesNotSettle,
            """
            Validation goes on changing objects of \(object.entity.name). Let it come to values that stay, and let \
            validateValue find nothing to change in what it has made.
            """, entityName: object.entity.name, objectID: object.anyObjectID)
    }
}

extension SaveError {
    /// A save inside of a save.
    static let savedWhileSaving = SaveError(
        .savedWhileSaving,
        """
        The context is being saved already: willSave, validation, an observer of the save or its merge policy has called \
        save() or commit(). Change the objects there, and leave the saving to the save that is running.
        """)
}
