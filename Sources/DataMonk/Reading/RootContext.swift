import DataMonkCore

/// **Shared.** The root context of a stack: it reads and follows commits on a thread of its own, for work
/// that does not belong on the main actor, such as keeping a search index.
///
///     let count = try await stack.rootContext?.read { reader in try reader.count(Person.self) }
///
/// It is for reading. Its objects exist in the bodies of its calls only, which return ids and plain values. The bodies
/// run one at a time and cannot suspend; each fetch shows the newest commit.
///
/// Updates commit directly into the stores, whether there is a root context or not, so it costs nothing until it is
/// used.
public actor RootContext {
    private let executor = PoolExecutor()
    private let coordinator: PersistentStoreCoordinator
    /// The owner.
    private weak let stack: Stack?

    /// The executor on which the bodies run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(of stack: Stack) {
        self.stack = stack
        coordinator = stack.coordinator
    }

    /// Reads objects, after the bodies before it.
    ///
    ///     let names = try await root.read { reader in try reader.fetchAll(Person.self).map(\.name) }
    ///
    /// - Throws: The error of the body; ``/DataMonkCore/FetchError`` with the code `unreadValues` if a property that the
    ///   body has read could not be read from the store; `CancellationError` if the task was cancelled before.
    public func read<Result: Sendable>(_ body: @Sendable (Reader) throws -> Result) throws -> Result {
        try Task.checkCancellation()
        // Ends with the body: a context that stays would keep rows of the generation that it stands at.
        let graph = ManagedObjectContext(coordinator: coordinator, isReadOnly: true)
        graph.setOwner(isCaller: { [executor] in executor.isRunningOnCaller })
        let reader = Reader(graph: graph)
        defer {
            reader.end()
            graph.endTurn()
        }
        let result = try body(reader)
        try graph.requireCompleteReads()
        return result
    }

    /// Calls a block for each commit of any context of the stack, in their order, with the ids of the objects that it
    /// changed and a reader to look at them.
    ///
    ///     let observer = root.observeCommits { reader, commit in
    ///         for post in try reader.fetch(Post.self, commit.inserted) { index.add(post.text) }
    ///     }
    ///
    /// The reader shows that commit or a later one. Commits of other processes have ``Commit/isEverything`` set, and so
    /// has the one that stands for dropped commits when more than 1,024 wait. What the block throws goes to the handler
    /// of ``Stack/onError(_:)``, and the next commit is reported.
    ///
    /// - Returns: A token. The calls stop when it is released, or with the stack.
    public nonisolated func observeCommits(
        _ block: @escaping @Sendable (Reader, Commit) throws -> Void
    ) -> CommitObserver {
        guard let stack else { return CommitObserver {} }
        let commits = stack.commits
        let task = Task.detached { [weak self, weak stack] in
            for await commit in commits {
                do {
                    // Ends with the stack.
                    guard let self else { return }
                    try await self.read { reader in try block(reader, commit) }
                } catch is CancellationError where Task.isCancelled {
                    return
                } catch {
                    stack?.handleError(error)
                }
            }
        }
        return CommitObserver { task.cancel() }
    }
}
