public import DataMonkCore

extension MainContext {
    /// Calls a block with the changes of this context: updates' commits that it merged, refreshes and resets.
    ///
    ///     let observation = World.observeChanges { changes in
    ///         if changes.isEverything || !changes.updated.isEmpty { reload() }
    ///     }
    ///
    /// The block is called on the main actor in the turn that follows a commit, provided that the context's update target
    /// follows commits; the objects have their new values by then. A call names at most 256 objects. Larger changes
    /// arrive in several calls, one a turn, so that the main actor is never held for long.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping @MainActor (ObjectChanges) -> Void) -> ContextObservation {
        observeChangesForLists { if !$0.isEmpty { body($0) } }
    }

    /// Calls a block as `observeChanges` does, and also for changes of objects that are not registered with this context.
    func observeChangesForLists(_ body: @escaping @MainActor (ObjectChanges) -> Void) -> ContextObservation {
        let observation = ContextObservation()
        addObserver(observation.guarding { body($0) })
        return observation
    }

    /// The changes of this context by object id, from now on, in slices as in ``observeChanges(_:)``.
    ///
    ///     for await notice in World.objectChanges {
    ///         print(notice.updated.count, "updated")
    ///     }
    ///
    /// Up to 64 notices are buffered for a slow consumer. Then the oldest are dropped, and the next notice has
    /// ``ObjectChangeNotice/isEverything`` set. The stream ends with the context.
    public var objectChanges: AsyncStream<ObjectChangeNotice> {
        let (stream, sender) = NoticeSender.makeStream(afterLoss: ObjectChangeNotice(isEverything: true))
        addObserver { $0.isEmpty || sender.send($0.notice) }
        return stream
    }

    private func addObserver(_ call: @escaping (ObjectChanges) -> Bool) {
        changeFeed.observers.add(call)
        if changeFeed.engine != nil { return }
        changeFeed.engine = graph.observeChangesForLists { [weak self] changes in
            guard let self else { return }
            if self.changeFeed.take(changes) { self.tellNextSlice() }
        }
    }

    private func tellNextSlice() {
        guard let (slice, isLast) = changeFeed.next() else { return }
        let ended = changeFeed.observers.tell(slice)
        changeFeed.observers.remove(ended)
        if changeFeed.observers.isEmpty { changeFeed.engine = nil }
        // Runs after any work that the observers have started.
        if !isLast { Task { @MainActor [weak self] in self?.tellNextSlice() } }
    }
}
