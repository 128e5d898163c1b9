public import DataMonkCore

/// **Shared.** Begins updates where no main context does: in a server or a worker, or in an application in which each
/// screen has a main context of its own.
///
///     let Updater = try Context(stack: stack, updateTarget: .persistentStore)
///     try await Updater.update { update in … }
public final class Context: Updating {
    /// The stack whose data the context updates.
    public let stack: Stack
    /// The internal implementation of updates.
    public let updater: Updater

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - updateTarget: `.persistentStore`, or a root context without automatic merging.
    ///   - updateOrder: whether its updates may run at the same time; nil for the stack's order.
    ///   - mergePolicy: which side wins when an update's commit meets another one's. None by default, as in Core Data: the
    /// later commit throws a ``/DataMonkCore/SaveError`` with the code `mergeConflict`. See
    /// ``Updating/update(retrying:deadline:_:fileID:line:)``.
    ///   - deadline: The deadline of calls that block (`beginUpdateAndWait`); `nil` for the stack's.
    /// - Throws: ``UpdateError`` with the code `invalidTarget` for a target that needs a main context, or a root context
    ///   that the stack does not have.
    public init(
        stack: Stack, updateTarget: UpdateTarget = .persistentStore, updateOrder: UpdateOrder? = nil,
        mergePolicy: MergePolicy = .error, deadline: Duration? = nil
    ) throws {
        try stack.require(updateTarget)
        if updateTarget == .mainContext || updateTarget == .rootContext(autoMerge: true) {
            throw UpdateError(
                code: .invalidTarget,
                message: """
                    A Context has no main context to merge changes into. Use .persistentStore or \
                    .rootContext(autoMerge: false), or create a MainContext.
                    """)
        }
        self.stack = stack
        updater = Updater(
            settings: UpdateSettings(stack: stack, mergePolicy: mergePolicy, order: updateOrder, deadline: deadline))
    }
}
