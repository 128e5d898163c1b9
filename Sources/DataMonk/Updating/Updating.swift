public import DataMonkCore

/// Something that updates can be begun on: a ``MainContext`` or a ``Context``.
///
/// Every way to begin an update makes a context of its own for it.
public protocol Updating: Sendable {
    /// The machinery behind the updates; of no use elsewhere.
    nonisolated var updater: Updater { get }
}

extension Updating {
    /// Runs an update and returns its result.
    ///
    ///     let count = try await World.update { update in
    ///         let monk = try update.create(Person.self)
    ///         monk.name = "Monk"
    ///         try update.commit()
    ///         return try update.count(Person.self)
    ///     }
    ///
    /// The body runs off the main actor. What it returns has to be Sendable: an id or a plain value, never an object.
    ///
    /// - Throws: what the body throws.
    public nonisolated func update<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        try await beginUpdateContext().perform(body)
    }

    /// Begins an update; the call returns at once.
    ///
    ///     World.beginUpdate { update in
    ///         …
    ///         try update.commit()
    ///     }
    ///
    /// Errors go to the stack's error handler, unless the handle is asked for them.
    @discardableResult
    public nonisolated func beginUpdate(
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
    ) -> UpdateHandle {
        beginUpdateContext().perform(body)
    }

    /// Runs an update on the calling thread and waits for its end.
    ///
    /// - Throws: what the body throws; ``UpdateError`` if the wait would be for the calling code itself, or reaches its
    ///   deadline.
    @available(*, noasync, message: "Use `try await update`: this form blocks the thread.")
    @discardableResult
    public nonisolated func beginUpdateAndWait<Result: Sendable>(
        _ body: @Sendable (Update) throws -> Result
    ) throws -> Result {
        try beginUpdateContext().performAndWait(body)
    }

    /// Makes a context for an update of several steps.
    public nonisolated func beginUpdateContext() -> UpdateContext {
        UpdateContext(updater.settings)
    }

    /// Begins an update that goes on from an object of another context: the object's id crosses, and the update's own
    /// object arrives.
    ///
    ///     World.beginUpdate(using: warrior.objectID) { update, warrior in
    ///         warrior.age += 1
    ///         try update.commit()
    ///     }
    @discardableResult
    public nonisolated func beginUpdate<Object: ManagedObject>(
        using id: ObjectID<Object>,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update, Object) async throws -> Void
    ) -> UpdateHandle {
        beginUpdate { update in try await body(update, try update.use(id)) }
    }

    /// Reads off the main actor, over a snapshot of its own; many reads run at once, and none waits for an update.
    ///
    ///     let names = try await World.read { reader in
    ///         try reader.fetchAll(Person.self, %"age" >= 18).map(\.name)
    ///     }
    ///
    /// - Throws: what the body throws.
    public nonisolated func read<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (Reader) async throws -> Result
    ) async throws -> Result {
        try await ReadContext(updater.settings).run(body)
    }

    /// Calls a block after each commit of any context of the stack, on the main actor.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public nonisolated func observeCommit(_ block: @escaping @MainActor @Sendable () -> Void) -> CommitObserver {
        updater.settings.stack.observeCommit { Task { @MainActor in block() } }
    }

    /// The commits of all contexts of the stack, from now on: the ids of what each of them changed.
    public nonisolated var commits: AsyncStream<Commit> { updater.settings.stack.commits }
}

/// **Shared.** What begins updates. Made by contexts.
public struct Updater: Sendable {
    let settings: UpdateSettings
}
