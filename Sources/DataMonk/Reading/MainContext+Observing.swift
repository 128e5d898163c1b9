public import DataMonkCore

extension MainContext {
    /// Calls a block with the changes of this context: updates' commits that it merged, refreshes and resets.
    ///
    ///     let observation = World.observeChanges { changes in
    ///         if changes.isEverything || !changes.updated.isEmpty { reload() }
    ///     }
    ///
    /// The block is called on the main actor in the turn that follows a commit, provided that the context's update target
    /// follows commits; the objects have their new values by then. It is called once for all changes of a commit, and may
    /// be called once for several small commits.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping @MainActor (ObjectChanges) -> Void) -> ContextObservation {
        graph.observeChanges { changes in body(changes) }
    }

    /// The changes of this context by object id, from now on.
    ///
    ///     for await notice in World.objectChanges {
    ///         print(notice.updated.count, "updated")
    ///     }
    ///
    /// Up to 64 notices are buffered for a slow consumer. Then the oldest are dropped, and the next notice has
    /// ``/DataMonkCore/ObjectChangeNotice/isEverything`` set. The stream ends with the context.
    public var objectChanges: AsyncStream<ObjectChangeNotice> { graph.objectChangeNotices }
}
