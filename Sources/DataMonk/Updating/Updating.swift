public import DataMonkCore

/// A type that begins updates: ``MainContext`` or ``Context``.
///
/// Each update gets a context of its own.
public protocol Updating: Sendable {
    /// The internal implementation of updates, not for other use.
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
    /// The body runs off the main actor. Its result must be Sendable: an id or a plain value, never an object.
    ///
    /// - Parameter deadline: The longest time from the call to its return: for its turn, for a thread, for its fetches and
    ///   commits. `nil` for no limit.
    /// - Throws: The error of the body; ``UpdateError`` if the wait could not end, or if the deadline passes before the body
    ///   begins, which then does not run.
    public nonisolated(nonsending) func update<Result: Sendable>(
        deadline: Duration? = nil, _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Result {
        try await beginUpdateContext().step(
            UpdateCall("update", file: fileID, line: line), until: deadline.map { .now + $0 }, body: body)
    }

    /// Begins an update. The call returns at once.
    ///
    ///     World.beginUpdate { update in
    ///         …
    ///         try update.commit()
    ///     }
    ///
    /// Errors go to the stack's error handler, unless the handle is awaited.
    ///
    /// - Parameter deadline: The longest time from the call to the update's end: for its turn, for a thread, for its fetches
    ///   and commits. `nil` for no limit.
    @discardableResult
    public nonisolated func beginUpdate(
        deadline: Duration? = nil,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        beginUpdateContext().begin(
            UpdateCall("beginUpdate", file: fileID, line: line), deadline: deadline, canSuspend: true, body: body)
    }

    /// Begins an update that cannot suspend; the call returns at once. Under a serial order the main actor may wait for it.
    @discardableResult
    public nonisolated func beginUpdate(
        deadline: Duration? = nil, _ body: @escaping @Sendable (Update) throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        beginUpdateContext().begin(
            UpdateCall("beginUpdate", file: fileID, line: line), deadline: deadline, canSuspend: false
        ) {
            try body($0)
        }
    }

    /// Runs an update on the calling thread and waits for its end.
    ///
    /// - Parameter deadline: The longest time from the call to its return: for its turn, for its fetches and commits. `nil`
    ///   for the context's deadline.
    /// - Throws: The error of the body; ``UpdateError`` if the wait could not end, if it would block the main actor for
    ///   an update that can suspend, or if the deadline passes.
    @available(*, noasync, message: "Use `try await update`, because this form blocks the thread.")
    @discardableResult
    public nonisolated func beginUpdateAndWait<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Update) throws -> Result, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Result {
        try beginUpdateContext().stepAndWait(
            UpdateCall("beginUpdateAndWait", file: fileID, line: line), deadline: deadline, body: body)
    }

    /// Returns a new context for an update in several steps.
    public nonisolated func beginUpdateContext() -> UpdateContext {
        UpdateContext(updater.settings)
    }

    /// Begins an update that starts from an object of another context. The object's id is passed on, and the body
    /// receives the update's own object.
    ///
    ///     World.beginUpdate(using: warrior.objectID) { update, warrior in
    ///         warrior.age += 1
    ///         try update.commit()
    ///     }
    @discardableResult
    public nonisolated func beginUpdate<Object: ManagedObject>(
        using id: ObjectID<Object>, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update, Object) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        let call = UpdateCall("beginUpdate(using:)", file: fileID, line: line)
        return beginUpdateContext().begin(call, deadline: deadline, canSuspend: true) { update in
            try await body(update, try update.use(id))
        }
    }

    /// Begins an update that goes on from an object of another context and cannot suspend.
    @discardableResult
    public nonisolated func beginUpdate<Object: ManagedObject>(
        using id: ObjectID<Object>, deadline: Duration? = nil,
        _ body: @escaping @Sendable (Update, Object) throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        let call = UpdateCall("beginUpdate(using:)", file: fileID, line: line)
        return beginUpdateContext().begin(call, deadline: deadline, canSuspend: false) { update in
            try body(update, try update.use(id))
        }
    }

    /// Reads off the main actor, over a snapshot of its own; many reads run at once, and none waits for an update.
    ///
    ///     let names = try await World.read { reader in
    ///         try reader.fetchAll(Person.self, %"age" >= 18).map(\.name)
    ///     }
    ///
    /// - Parameter deadline: The longest time from the call to its return: for a thread, and for its fetches. `nil` for no
    ///   limit.
    /// - Throws: The error of the body; ``/DataMonkCore/FetchError`` with the code `unreadValues` if a property that the
    ///   body has read could not be read from the store; ``UpdateError`` if the deadline passes before the body begins,
    ///   which then does not run.
    public nonisolated(nonsending) func read<Result: Sendable>(
        deadline: Duration? = nil, _ body: nonisolated(nonsending) @Sendable (Reader) async throws -> Result,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Result {
        let call = UpdateCall("read", file: fileID, line: line)
        return try await ReadContext(updater.settings).run(call, until: deadline.map { .now + $0 }, body: body)
    }
}

/// **Shared.** Begins updates. Created by contexts.
public struct Updater: Sendable {
    let settings: UpdateSettings
}
