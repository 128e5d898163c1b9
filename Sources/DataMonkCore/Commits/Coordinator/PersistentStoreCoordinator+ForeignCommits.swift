/// Commits of other processes. Their changes are unknown, so any row may have changed: the row cache is emptied, and a
/// generation of its own separates earlier reads from later ones. Thus readers of one generation always agree, and a
/// context that moves to it merges everything at once.
///
/// The history, where there is one, does not say what has changed: a process that keeps none, such as `sqlite3`, leaves no
/// trace in it, and nothing tells how many commits there were. Reading a row again is better than missing a change.
extension PersistentStoreCoordinator {
    /// Publishes that another process has committed.
    package func noteForeignChanges() { takeForeignCommits(isCommitting: false)?() }

    /// Publishes that another process has committed. Returns a closure to call outside of all locks; `nil` while a commit
    /// is in flight, which has the next number.
    ///
    /// - Parameter isCommitting: Whether it was detected at the beginning of a commit. Observers are then notified with
    ///   that commit.
    package func takeForeignCommits(isCommitting: Bool) -> (@Sendable () -> Void)? {
        let published: Generation? = shared.withLock { shared in
            if isLanding(shared) { return nil }
            var commit = StoreCommit(memberCount: 0)
            // Under the lock, so that the next commit's notice comes after it.
            while let step = commit.next {
                switch step {
                case .announce: commit.announce(nil, in: &shared.ledger)
                case .note: note([], of: &commit)
                case .addRows(let part): addRows(part, of: [], commit: &commit)
                default: publish(&commit, in: &shared)
                }
            }
            return commit.generation
        }
        guard let published else { return nil }
        return { [self] in
            for ring in notices.bells(at: published) { ring() }
            if !isCommitting { tellForeignChanges() }
        }
    }

    /// Looks for commits of other processes in all stores, as each reader does. Those that are found while a commit of this
    /// process is in flight are told once it has ended, for nobody may look again soon.
    ///
    /// The error handler is told of the first of several looks at a store that fail: there may be fifty in a second.
    package func lookForForeignCommits() {
        for store in stores {
            do {
                // Beside a commit, others may have committed since.
                while try store.lookForForeignCommits() != .told { try waitUntilLanded() }
                _ = storesNotSeen.withLock { $0.remove(store.identifier) }
            } catch {
                let isNews = storesNotSeen.withLock { $0.insert(store.identifier).inserted }
                if isNews { report(StoreError.failedLook(error, at: store.url)) }
            }
        }
    }

    /// Notifies observers of commits of foreign changes that have not been reported yet.
    func tellForeignChanges() {
        let isNews = shared.withLock { shared in
            defer { shared.hasForeignChangesToTell = false }
            return shared.hasForeignChangesToTell
        }
        if !isNews { return }
        for observer in commitObservers.blocks { observer(ChangeSet().withForeignChanges) }
        tellThatEverythingHasChanged()
    }

    /// Tells observers of summaries that they have to look again.
    package func tellThatEverythingHasChanged() {
        for observer in summaryObservers.blocks { observer(.everything) }
    }
}

extension ChangeSet {
    /// The change set with a mark that other processes have made further changes.
    var withForeignChanges: ChangeSet {
        var changes = self
        changes.comesWithForeignChanges = true
        return changes
    }
}
