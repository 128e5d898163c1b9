public import Dispatch

// The block of each form is called after the commit, when its changes are in the store. Commits that arrive while the block
// has not been called yet are reported by a single call.
extension Updating {
    /// Calls a block on the main actor after commits.
    ///
    ///     let observer = Updater.observeCommit { screen.reload() }
    ///
    /// Commits that arrive while the main actor is busy are reported by a single call. ``commits`` tells which objects
    /// each commit changed.
    ///
    /// - Parameter scope: The commits to report. `.context` leaves out those of other processes and of other contexts.
    /// - Returns: A token. The calls stop when it is released.
    public nonisolated func observeCommit(
        of scope: CommitScope = .stack, _ block: @escaping @MainActor @Sendable () -> Void
    ) -> CommitObserver {
        observe(scope, CommitSignal(block))
    }

    /// Calls a block on a queue after commits: see ``observeCommit(of:_:)``.
    public nonisolated func observeCommit(
        of scope: CommitScope = .stack, queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
    ) -> CommitObserver {
        observe(scope, CommitSignal(queue: queue, block))
    }

    /// Calls a block on an actor after commits: see ``observeCommit(of:_:)``. The actor may keep the token, which does
    /// not keep the actor.
    ///
    ///     observer = updater.observeCommit(on: self) { index in index.isOutdated = true }
    public nonisolated func observeCommit<Isolation: Actor>(
        of scope: CommitScope = .stack, on actor: Isolation,
        _ block: @escaping @Sendable (isolated Isolation) -> Void
    ) -> CommitObserver {
        observe(scope, CommitSignal(on: actor, block))
    }

    private nonisolated func observe(_ scope: CommitScope, _ signal: CommitSignal) -> CommitObserver {
        switch scope {
        case .stack: CommitObserver(signal, observe: updater.settings.stack.observeEachCommit)
        case .context: CommitObserver(signal, observe: updater.settings.observeCommit)
        }
    }

    /// Calls a block on the main actor after the commits of every stack of the program, whichever context makes them.
    /// It has no store watched for commits of other processes.
    ///
    ///     let observer = MainContext.observeCommit { badge.update() }
    ///
    /// - Returns: A token. The calls stop when it is released.
    public nonisolated static func observeCommit(
        _ block: @escaping @MainActor @Sendable () -> Void
    ) -> CommitObserver {
        CommitObserver(CommitSignal(block), observe: Stack.observeCommitsOfProgram)
    }

    /// Calls a block on a queue after the commits of every stack of the program.
    public nonisolated static func observeCommit(
        queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
    ) -> CommitObserver {
        CommitObserver(CommitSignal(queue: queue, block), observe: Stack.observeCommitsOfProgram)
    }

    /// Calls a block on an actor after the commits of every stack of the program.
    public nonisolated static func observeCommit<Isolation: Actor>(
        on actor: Isolation, _ block: @escaping @Sendable (isolated Isolation) -> Void
    ) -> CommitObserver {
        CommitObserver(CommitSignal(on: actor, block), observe: Stack.observeCommitsOfProgram)
    }

    /// The commits of all contexts of the stack, from now on, with the ids of the objects that each one changed.
    /// Commits of other processes have ``Commit/isEverything`` set, and so has the one that stands for dropped commits
    /// when more than 1,024 wait.
    public nonisolated var commits: AsyncStream<Commit> { updater.settings.stack.commits }
}

extension Stack {
    /// Calls a block on the main actor after commits of any context of the stack, and when a commit of another process
    /// is found.
    ///
    /// Commits that arrive while the main actor is busy are reported by a single call.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeCommit(_ block: @escaping @MainActor @Sendable () -> Void) -> CommitObserver {
        CommitObserver(CommitSignal(block), observe: observeEachCommit)
    }

    /// Calls a block on a queue after commits of any context of the stack.
    public func observeCommit(
        queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
    ) -> CommitObserver {
        CommitObserver(CommitSignal(queue: queue, block), observe: observeEachCommit)
    }

    /// Calls a block on an actor after commits of any context of the stack.
    public func observeCommit<Isolation: Actor>(
        on actor: Isolation, _ block: @escaping @Sendable (isolated Isolation) -> Void
    ) -> CommitObserver {
        CommitObserver(CommitSignal(on: actor, block), observe: observeEachCommit)
    }
}
