extension ManagedObjectContext {
    /// The objects that were never saved, in the order of their insertion.
    public var insertedObjects: [ManagedObject] { work.changed.filter { $0.isInserted && !$0.isDeleted } }
    /// The saved objects with unsaved changes.
    public var updatedObjects: [ManagedObject] { work.changed.filter(\.isUpdated) }
    /// The saved objects that the next save will delete.
    public var deletedObjects: [ManagedObject] {
        work.changed.filter { $0.state.contains(.deleted) && !$0.isInserted }
    }
    /// Indicates whether there is anything to save.
    public var hasChanges: Bool {
        work.changed.contains { $0.hasChanges && !($0.isInserted && $0.state.contains(.deleted)) }
    }

    /// Writes all unsaved changes into the stores, in one transaction per store. When it returns, they are on disk. A
    /// child writes into its parent, where the changes are unsaved like any others; they do not reach the stores, and new
    /// objects keep their temporary ids, until the root is saved.
    ///
    /// The steps, in order: the end of the user event with its delete rules; `willSave` until nothing changes;
    /// validation, which is repeated if it changes values; the transaction, which checks versions and unique values; new
    /// snapshots; `didSave`. If any of them throws, nothing has been written, and all changes are still there.
    ///
    /// - Throws: ``SaveError`` for invalid objects and conflicts, with the code `unreadValues` if an earlier read or
    ///   write of a property failed, and with the code `savedWhileSaving` if a hook of a save or an import calls it, or
    ///   calls `rollback()` or `reset()`;
    ///   ``StoreError`` if a store fails; for a context that its owner saves, such as a draft's, the owner's error, which
    ///   names the call to use.
    public func save() throws {
        requireOwner()
        if let refusalToSave { throw refusalToSave }
        try saveForOwner()
    }

    /// Saves as `save()` does, also a context of which that is refused.
    package func saveForOwner() throws {
        requireOwner()
        try work.requireNotPreparingSave()
        beginCall()
        defer { endCall() }
        var steps = SaveSteps(work)
        var result: Result<CommitResult, any Error>?
        while let pending = try steps.next(after: result) {
            do { result = .success(try backing.write(pending.takeChanges())) } catch { result = .failure(error) }
        }
    }

    /// Calls code that must not save or discard the context or one that it saves into: its changes are a part of what is
    /// saved later.
    ///
    /// - Throws: ``SaveError`` if the code has tried to discard a context; the errors of `body`.
    package func withoutSaving<Result>(_ body: () throws -> Result) throws -> Result {
        guard let parent else { return try work.whilePreparingSave(body) }
        return try parent.withoutSaving { try work.whilePreparingSave(body) }
    }

    /// Saves as `save()` does, for callers that must not wait for a disk: `commit` waits instead, and meanwhile the
    /// context's objects must not be changed.
    package func save(
        through commit: nonisolated(nonsending) (ChangeSet, ContextID) async throws -> CommitResult
    ) async throws {
        requireOwner()
        try work.requireNotPreparingSave()
        // A read of the family meanwhile, if it were its first one, would show the commit without having met it.
        stores.beginToStand()
        var steps = SaveSteps(work)
        var result: Result<CommitResult, any Error>?
        while let pending = try steps.next(after: result) {
            root.work.committing[id] = pending
            do { result = .success(try await commit(pending.takeChanges(), id)) } catch { result = .failure(error) }
            // The root may have met the commit meanwhile. Otherwise, it does so now.
            if case .success(.committed(_, let generation))? = result { stores.stand(at: generation) }
            root.work.committing[id] = nil
        }
    }
}
