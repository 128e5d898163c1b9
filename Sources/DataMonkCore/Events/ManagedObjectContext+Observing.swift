extension ManagedObjectContext {
    /// Calls a block with what each user event changed, and with what merging, refreshing and resetting brought.
    ///
    ///     let observation = context.observeChanges { changes in
    ///         print(changes.inserted.count, "inserted")
    ///     }
    ///     let person = try context.insert(Person.self)
    ///     context.processPendingChanges()                     // 1 inserted
    ///
    /// Called once for each event in which something changed, where the context runs, before the call that ended the event
    /// returns: `processPendingChanges`, `save`, `refresh…`, `mergeCommits`, `mergeChanges`, `rollback`, `reset`. What
    /// a fetch merges is told with the next of them.
    ///
    /// A context that nobody observes, and that has no undo manager, keeps no account of its events.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeChanges(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        observeChangesForLists { if !$0.isEmpty { body($0) } }
    }

    /// As `observeChanges`, and tells as well of objects that others changed and this context does not know.
    package func observeChangesForLists(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        requireOwner()
        let observation = ContextObservation()
        openJournal().observers.add(observation.guarding(body))
        return observation
    }

    /// What each user event changes, by id, from now on.
    ///
    ///     let notices = context.objectChangeNotices
    ///     Task { for await notice in notices { … } }
    ///
    /// The context never waits: at most 64 notices do, then the oldest go, and the next one says so by
    /// ``ObjectChangeNotice/isEverything``. Ends with the context.
    public var objectChangeNotices: AsyncStream<ObjectChangeNotice> {
        requireOwner()
        let (stream, sender) = NoticeSender.makeStream(afterLoss: ObjectChangeNotice(isEverything: true))
        openJournal().observers.add { $0.isEmpty || sender.send($0.notice) }
        return stream
    }

    /// Calls a block before and after each save with what it saves.
    ///
    ///     let observation = context.observeSaves { notice in
    ///         if case .didSave(let changes) = notice { other.mergeChanges(from: changes.notice) }
    ///     }
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeSaves(_ body: @escaping (SaveNotice) -> Void) -> ContextObservation {
        requireOwner()
        let observation = ContextObservation()
        saveObservers.add(observation.guarding(body))
        return observation
    }

    /// Tells observers of saves.
    func tell(_ notice: @autoclosure () -> SaveNotice) {
        if saveObservers.isEmpty { return }
        let ended = saveObservers.tell(notice())
        saveObservers.remove(ended)
    }
}
