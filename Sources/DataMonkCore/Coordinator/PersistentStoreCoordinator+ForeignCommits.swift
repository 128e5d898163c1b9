import Synchronization

/// Commits of other processes. Nobody knows what they changed, so every row may be another one: the row cache is emptied,
/// and a generation of their own stands between what was known before and what is read from now on. So no two readers of
/// one generation disagree, and a context that moves to it takes over everything at once.
extension PersistentStoreCoordinator {
    /// Publishes that another process has committed.
    package func noteForeignChanges() { takeForeignCommits(isCommitting: false)?() }

    /// Publishes that another process has committed. Returns what is to be called outside of all locks; nil while a commit
    /// is in flight, which has the next number.
    ///
    /// - Parameter isCommitting: whether the beginning of a commit has found it. Observers hear of it with that commit.
    func takeForeignCommits(isCommitting: Bool) -> (@Sendable () -> Void)? {
        let bells: [@Sendable () -> Void]? = shared.withLock { shared in
            if shared.ledger.stamp.inFlight != nil { return nil }
            let generation = shared.ledger.announce(nil)
            shared.rows.publish(EmptyCollection(), at: generation)
            shared.rows.removeAll()
            // Under the lock: the next commit's notice comes after it.
            let bells = notices.append(CommitNotice(generation: generation, commits: [], isForeign: true))
            shared.ledger.publish(generation)
            published.store(generation.rawValue, ordering: .releasing)
            shared.hasForeignChangesToTell = true
            return bells
        }
        guard let bells else { return nil }
        return { [self] in
            for ring in bells { ring() }
            if !isCommitting { tellForeignChanges() }
        }
    }

    /// Tells the observers of commits what they have not heard of.
    func tellForeignChanges() {
        let observers = shared.withLock { shared -> [@Sendable (ChangeSet) -> Void] in
            guard shared.hasForeignChangesToTell else { return [] }
            shared.hasForeignChangesToTell = false
            return Array(shared.observers.values)
        }
        for observer in observers { observer(ChangeSet().withForeignChanges) }
    }
}

extension ChangeSet {
    /// The same, which says that other processes have changed more.
    var withForeignChanges: ChangeSet {
        var changes = self
        changes.comesWithForeignChanges = true
        return changes
    }
}
