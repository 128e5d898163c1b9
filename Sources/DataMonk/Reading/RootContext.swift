import DataMonkCore

/// **Shared.** The root context of a stack: it reads and follows commits on a thread of its own, for code that has no
/// business on the main actor, such as a search index or a badge that counts.
///
///     let count = try await stack.rootContext?.read { reader in try reader.count(Person.self) }
///
/// It is for reading. Its objects exist in the bodies of its calls only, which return ids and plain values. The bodies run
/// one at a time and cannot suspend; each fetch shows the newest commit.
///
/// Updates commit directly into the stores, whether there is a root context or not, so it costs nothing until it is used.
public actor RootContext {
    private let executor = PoolExecutor()
    // nonisolated(unsafe): used on the executor's thread only, in a job or between two jobs.
    private nonisolated(unsafe) let graph: ManagedObjectContext
    /// The owner.
    private weak let stack: Stack?

    /// The executor on which the bodies run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(of stack: Stack) {
        self.stack = stack
        graph = ManagedObjectContext(coordinator: stack.coordinator, isReadOnly: true)
        graph.setOwner(isCaller: { [executor] in executor.isRunningOnCaller })
        executor.beginStep { [weak self] in self?.graph.endTurn() }
    }

    /// Reads objects, after the bodies before it.
    ///
    ///     let names = try await root.read { reader in try reader.fetchAll(Person.self).map(\.name) }
    ///
    /// - Throws: The error of the body; ``/DataMonkCore/FetchError`` with the code `unreadValues` if a property that the
    ///   body has read could not be read from the store; `CancellationError` if the task was cancelled before.
    public func read<Result: Sendable>(_ body: @Sendable (Reader) throws -> Result) throws -> Result {
        try Task.checkCancellation()
        let reader = Reader(graph: graph)
        defer {
            reader.end()
            graph.disregardFailedReads()
        }
        let result = try body(reader)
        if let failed = graph.failedAccesses.first { throw FetchError.unreadValues(failed.cause) }
        return result
    }

    /// Calls a block for each commit of any context of the stack, in their order, with the ids of the objects that it
    /// changed and a reader to look at them.
    ///
    ///     let observer = root.observeCommits { reader, commit in
    ///         for case let post in try reader.fetchAll(Post.self, ids: commit.inserted) { index.add(post.text) }
    ///     }
    ///
    /// The reader shows that commit or a later one. Commits of other processes have ``Commit/isEverything`` set, and so have
    /// dropped commits when more than 1,024 wait. What the block throws goes to the handler of ``Stack/onError(_:)``, and the
    /// next commit is reported.
    ///
    /// - Returns: A token. The calls stop when it is released.
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
