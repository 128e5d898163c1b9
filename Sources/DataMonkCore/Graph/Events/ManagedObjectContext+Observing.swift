extension ManagedObjectContext {
    /// Calls a block with the changes of each user event, and with those made by merging, refreshing and resetting.
    ///
    ///     let observation = context.observeChanges { changes in
    ///         print(changes.inserted.count, "inserted")
    ///     }
    ///     let person = try context.insert(Person.self)
    ///     context.processPendingChanges()                     // 1 inserted
    ///
    /// The block is called once for each event in which something changed, where the context runs, before the call that
    /// ended the event returns: `processPendingChanges`, `save`, `refresh…`, `mergeCommits`, `mergeChanges`, `rollback`,
    /// `reset`. Changes merged by a fetch are reported by the next of these calls.
    ///
    /// A context without observers and without an undo manager does not record its events.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        observeChangesForLists { if !$0.isEmpty { body($0) } }
    }

    /// Calls a block as `observeChanges` does, and also for changes of objects that are not registered with this context.
    func observeChangesForLists(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        requireOwner()
        let observation = ContextObservation()
        openJournal().observers.add(observation.guarding(body))
        return observation
    }

    /// The changes of each user event by object id, from now on.
    ///
    ///     let notices = context.objectChangeNotices
    ///     Task { for await notice in notices { … } }
    ///
    /// The context never waits: up to 64 notices are buffered, then the oldest are dropped, and the next notice has
    /// ``ObjectChangeNotice/isEverything`` set. The stream ends with the context.
    public var objectChangeNotices: AsyncStream<ObjectChangeNotice> {
        requireOwner()
        let (stream, sender) = NoticeSender.makeStream(afterLoss: ObjectChangeNotice(isEverything: true))
        openJournal().observers.add { $0.isEmpty || sender.send($0.notice) }
        return stream
    }

    /// Calls a block before and after each save with the saved changes.
    ///
    ///     let observation = context.observeSaves { notice in
    ///         if case .didSave(let changes) = notice { other.mergeChanges(from: changes.notice) }
    ///     }
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeSaves(_ body: @escaping (SaveNotice) -> Void) -> ContextObservation {
        requireOwner()
        let observation = ContextObservation()
        saveObservers.add(observation.guarding(body))
        return observation
    }

    /// Notifies observers of saves.
    func tell(_ notice: @autoclosure () -> SaveNotice) {
        if saveObservers.isEmpty { return }
        let ended = saveObservers.tell(notice())
        saveObservers.remove(ended)
    }
}
