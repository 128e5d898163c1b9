public import DataMonkCore

/// **Confined.** A running update: reads as every context does, creates and changes objects, and commits.
///
///     try await World.update { update in
///         let farmer = try update.create(Person.self)
///         farmer.name = "Farmer"
///         let monk = try update.fetch(Person.self, %"name" == "Monk")
///         monk.friend = farmer
///         try update.commit()
///     }
///
/// An update ends with its body. Every later call on it stops the program with an explanation, except
/// ``perform(_:fileID:line:)``, which begins a step of its own. An update keeps its context alive, so that a callback
/// that captures the update can continue with `perform`. Uncommitted changes are discarded when the last reference to the
/// context and its updates is released.
public final class Update: Editor {
    /// The context in which the update runs.
    public let context: UpdateContext
    private let ticket: UpdateGate.Ticket
    /// `true` if its body runs on the thread of a waiting caller, so that nothing else can run beside it.
    private let isWaitedFor: Bool
    private let deadline: ContinuousClock.Instant?

    init(
        context: UpdateContext, ticket: UpdateGate.Ticket, isWaitedFor: Bool, until deadline: ContinuousClock.Instant?
    ) {
        self.context = context
        self.ticket = ticket
        self.isWaitedFor = isWaitedFor
        self.deadline = deadline
        super.init(graph: context.graph)
    }

    /// The author that the history records for the update's commits; `nil` for none.
    public var transactionAuthor: String? {
        get { graph.transactionAuthor }
        set { graph.transactionAuthor = newValue }
    }

    /// The name that the history records for the update's context; `nil` for none.
    public var name: String? {
        get { graph.name }
        set { graph.name = newValue }
    }

    /// The engine's context on which the update is built, for what the short calls do not offer. Like the update, it is
    /// used until the body ends.
    public var managedObjectContext: ManagedObjectContext { graph }

    // MARK: Committing

    /// Writes all changes into the store. When it returns, they are on disk. If it throws, nothing has been written, and
    /// all changes are still there.
    ///
    /// - Throws: ``/DataMonkCore/SaveError`` for invalid objects and conflicts, and with the code `unreadValues` if an
    ///   earlier read or write of a property failed; ``/DataMonkCore/StoreError`` if the store fails.
    public func commit() throws {
        try graph.save()
    }

    /// Calls a block with the changes of each user event of the update: each step, and each commit.
    ///
    /// - Returns: A token. The calls stop when it is released.
    public func observeChanges(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        graph.observeChanges(body)
    }

    // MARK: Continuing

    /// Continues the update from a callback.
    ///
    /// While the update's body is still running (awaiting the callback, say), the given body runs as a part of it, and
    /// the update ends after its parts. Afterwards, and if the update's body runs on the thread of a waiting caller, the
    /// given body is a step of its own, in the order of the calls. The call returns at once. Errors go to the stack's
    /// error handler, unless the handle is awaited.
    @discardableResult
    public func perform(
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        let (context, ticket, deadline) = (context, ticket, deadline)
        let call = UpdateCall("perform", file: fileID, line: line)
        guard !isWaitedFor, context.gate.reenterIfHolding(ticket) else {
            return context.begin(call, deadline: nil, canSuspend: true, body: body)
        }
        // The body's step does not end before its parts.
        let step = context.gate.holder
        let part = context.party(call, inside: step)
        if let step { WaitGraph.shared.add(step, waitingFor: .party(part)) }
        return UpdateHandle(stack: context.settings.stack, party: part, timeout: context.settings.deadline) {
            defer { if let step { WaitGraph.shared.remove(step, waitingFor: .party(part)) } }
            try await context.runInside(ticket, as: part, until: deadline, body: body)
        }
    }
}
