import DataMonkCore

/// **Confined.** An update at work: reads like every context, makes and changes objects, and commits.
///
///     try await World.update { update in
///         let farmer = try update.create(Person.self)
///         farmer.name = "Farmer"
///         let monk = try update.fetch(Person.self, %"name" == "Monk")
///         monk.friend = farmer
///         try update.commit()
///     }
///
/// An update ends with its body: afterwards each call on it stops the program with an explanation, but for
/// ``perform(_:fileID:line:)``, which begins a step of its own. An update keeps its context alive, so a callback that
/// captures it can go on in that way. Changes that are not committed are discarded when the last reference to the context
/// and its updates goes.
public final class Update: Editor {
    /// The context that the update works in.
    public let context: UpdateContext
    private let ticket: UpdateGate.Ticket
    /// True if its body runs on the thread of a caller who waits: nothing else can run beside it.
    private let isWaitedFor: Bool

    init(context: UpdateContext, ticket: UpdateGate.Ticket, isWaitedFor: Bool) {
        self.context = context
        self.ticket = ticket
        self.isWaitedFor = isWaitedFor
        super.init(graph: context.graph)
    }

    /// Who the history names as the author of what the update commits; nil for nobody.
    public var transactionAuthor: String? {
        get { graph.transactionAuthor }
        set { graph.transactionAuthor = newValue }
    }

    /// What the history calls the update's context; nil for nothing.
    public var name: String? {
        get { graph.name }
        set { graph.name = newValue }
    }

    // MARK: Committing

    /// Writes every change into the store; on disk when it returns. If it throws, nothing was written and every change is
    /// still there.
    ///
    /// - Throws: ``SaveError`` for invalid objects and conflicts, and with the code `unreadValues` after a property could not
    ///   be read or set; ``StoreError`` if the store fails.
    public func commit() throws {
        if graph.hasChanges { return try context.noting { try graph.save() } }
        try graph.save()
    }

    /// Calls a block with what each user event of the update changes: each step, and each commit.
    ///
    /// - Returns: a token; the calls stop when it goes.
    public func observeChanges(_ body: @escaping (ObjectChanges) -> Void) -> ContextObservation {
        graph.observeChanges(body)
    }

    // MARK: Going on

    /// Goes on with the update from a callback.
    ///
    /// While the body of the update still runs (it awaits the callback, say) this is a part of it. Afterwards, and where the
    /// body runs on the thread of a caller who waits, it is a step of its own, in the order of the calls. The call returns
    /// at once; errors go to the stack's error handler unless the handle is asked for them.
    @discardableResult
    public func perform(
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        let (context, ticket) = (context, ticket)
        let call = UpdateCall("perform", fileID, line)
        guard !isWaitedFor, context.gate.reenterIfHolding(ticket) else {
            return context.begin(call, nil, canSuspend: true, body)
        }
        // The body's step does not end before its parts.
        let step = context.gate.holder
        let part = context.party(call, inside: step)
        if let step { WaitGraph.shared.add(step, waitingFor: .party(part)) }
        return UpdateHandle(stack: context.settings.stack, part, patience: context.settings.deadline) {
            defer { if let step { WaitGraph.shared.remove(step, waitingFor: .party(part)) } }
            try await context.runInside(ticket, part, body)
        }
    }
}
