public import DataMonkCore

extension MainContext {
    /// Calls a block with what changed in this context: what updates committed and this context merged, and what refreshing
    /// and resetting did.
    ///
    ///     let observation = World.observeChanges { changes in
    ///         if changes.isEverything || !changes.updated.isEmpty { reload() }
    ///     }
    ///
    /// Called on the main actor in the turn that follows a commit, if the target says that this context follows; its
    /// objects have their new values then. A call names at most 256 objects: what is more comes in calls of its own, one a
    /// turn, so that the main actor is never held for long.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeChanges(_ body: @escaping @MainActor (ObjectChanges) -> Void) -> ContextObservation {
        observeChangesForLists { if !$0.isEmpty { body($0) } }
    }

    /// As `observeChanges`, and tells as well of objects that others changed and this context does not know.
    func observeChangesForLists(_ body: @escaping @MainActor (ObjectChanges) -> Void) -> ContextObservation {
        let observation = ContextObservation()
        addObserver(observation.guarding { body($0) })
        return observation
    }

    /// What changes in this context, by id, from now on; cut like ``observeChanges(_:)``.
    ///
    ///     for await notice in World.objectChanges {
    ///         print(notice.updated.count, "updated")
    ///     }
    ///
    /// At most 64 notices wait for one who listens slowly; then the oldest go, and the next one says so by
    /// ``ObjectChangeNotice/isEverything``. Ends with the context.
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
        // Behind whatever the observers have begun.
        if !isLast { Task { @MainActor [weak self] in self?.tellNextSlice() } }
    }
}
