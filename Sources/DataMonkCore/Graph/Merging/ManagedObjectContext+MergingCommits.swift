/// Merging of others' commits. A commit is merged as a whole, so that no code sees some of its objects as before it and
/// others as after it.
///
/// Rows come with the notices, so nothing is read; the work is one lookup for each changed row. To-manys that are only
/// marked to be read again do not count as changes.
extension ManagedObjectContext {
    /// Merges the commits of others between two generations. Those for which saves of the family wait are applied in their
    /// place among the others, and are the only ones that a context merges if it does not follow commits.
    ///
    /// - Parameter notices: `nil` if some of them have been released.
    func merge(_ notices: [CommitNotice]?) {
        let prepared = preparedMerge.flatMap { $0.isShown ? nil : $0 }
        prepared?.isShown = true
        guard let notices else {
            if followsCommits { refreshEverything() }
            return
        }
        if notices.isEmpty { return }
        merging {
            for notice in notices {
                if notice.isForeign, followsCommits { refreshEverything() }
                for commit in notice.commits {
                    let save = waitingSave(of: commit, at: notice.generation)
                    if commit.origin != id {
                        if save == nil, !followsCommits { continue }
                        merge(commit, prepared: prepared?.part(of: commit))
                    }
                    if let save { save.work.apply(commit, of: save) }
                }
            }
        }
    }

    /// Returns the save of the family that has made a commit, if it has not been applied.
    private func waitingSave(of commit: CommitNotice.Commit, at generation: Generation) -> PendingSave? {
        guard let origin = commit.origin else { return nil }
        // The context may have made other commits, which reserved keys.
        if let landed = work.landed, landed.origin == origin, landed.generation == generation { return landed.save }
        return work.committing.isEmpty || origin == id ? nil : work.committing[origin]
    }

    /// Prepares the merge of a large commit in this turn.
    ///
    /// - Parameter limit: The number of changes to examine.
    /// - Returns: `true` if the commit was already prepared, and can be shown.
    func prepareMerge(of notice: CommitNotice, examining limit: Int) -> Bool {
        let prepared: PreparedMerge
        if let preparedMerge, preparedMerge.notice.generation == notice.generation {
            prepared = preparedMerge
        } else {
            prepared = PreparedMerge(notice, for: id)
            preparedMerge = prepared
        }
        if prepared.isReady { return true }
        prepared.prepare(limit, in: identities)
        return false
    }

    /// Refreshes everything, because any object may have changed, including those that are not registered.
    func refreshEverything() {
        refreshCleanObjects()
        noteEverything()
    }

    /// Tells observers, also those of the children that follow, that anything may have changed.
    func noteEverything() {
        if let journal, journal.isObserved { journal.externalChanges.noteEverything() }
        forEachFollowingChild { $0.noteEverything() }
    }

    /// Merges a whole commit.
    ///
    /// - Parameter prepared: Its preparation, if there is one.
    func merge(_ commit: CommitNotice.Commit, prepared: PreparedCommit? = nil) {
        let isAsPrepared = prepared?.exchangeRows { merge($0) } ?? false
        if prepared == nil { for change in commit.changes.updated { merge(change) } }
        mergeOtherObjects(of: commit.changes)
        mergeLinks(of: commit)
        tell(commit, prepared: isAsPrepared ? prepared : nil)
    }

    private func mergeOtherObjects(of changes: ChangeSet) {
        for consequence in changes.consequences { merge(consequence) }
        if let batch = changes.batch, batch.isListed {
            for key in batch.updated { mergeUpdate(of: key) }
            for key in batch.followers { mergeUpdate(of: key) }
            for key in batch.deleted { mergeDeletion(of: key) }
            finishMerging(batch)
        }
        for deletion in changes.deleted { mergeDeletion(of: deletion.key) }
    }

    private func mergeLinks(of commit: CommitNotice.Commit) {
        let deleted = commit.changes.deleted
        if !deleted.isEmpty { graph.forgetLinks(to: deleted.map(\.key)) }
        for touched in commit.touchedRelations {
            guard let object = identities.find(touched.owner) else { continue }
            for relation in object.toManys where relation.relationship.slot == touched.slot { relation.unload() }
        }
        for relationship in commit.changes.relationshipsWithoutInverse { graph.rereadOwners(of: relationship) }
    }

    /// Records a commit of others for observers, and passes it on to the children. An object with changes of its own has
    /// kept them.
    ///
    /// - Parameter prepared: The preparation, if its objects have all received their new rows.
    private func tell(_ commit: CommitNotice.Commit, prepared: PreparedCommit?) {
        if let journal, journal.isObserved {
            for change in commit.changes.inserted { journal.externalChanges.noteInserted(change.key) }
            if let prepared {
                journal.externalChanges.noteUpdated(prepared.objects)
                prepared.forEachOther { note($0.key, in: journal, ifNotDraft: true) }
            } else {
                for change in commit.changes.updated { note(change.key, in: journal, ifNotDraft: true) }
            }
            for touched in commit.touchedRelations { note(touched.owner, in: journal, ifNotDraft: false) }
        }
        if !children.isEmpty { forEachFollowingChild { $0.inherit(commit) } }
    }

    private func note(_ key: ObjectKey, in journal: EventJournal, ifNotDraft: Bool) {
        guard let object = identities.find(key) else { return journal.externalChanges.noteUpdated(key) }
        if object.isDeleted || ifNotDraft && object.draft != nil { return }
        journal.externalChanges.note(object, as: .updated)
    }
}

extension ChangeSet {
    /// The one-to-manys without an inverse that have new members, without duplicates. Their other owners may have lost
    /// these members.
    fileprivate var relationshipsWithoutInverse: [Entity.Relationship] {
        var seen: Set<Entity.Relationship> = []
        return links.filter { !$0.added.isEmpty && $0.relationship.isOwnedByOneSideAlone }
            .map(\.relationship).filter { seen.insert($0).inserted }
    }
}
