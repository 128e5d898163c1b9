public import DataMonkCore

/// **Shared.** Begins updates where no main context does: in a server or a worker, or in an application in which each
/// screen has a main context of its own.
///
///     let Updater = try Context(stack: stack, updateTarget: .persistentStore)
///     try await Updater.update { update in … }
public final class Context: Updating {
    /// The stack whose data the context updates.
    public let stack: Stack
    /// The main context that shows what the updates commit, if there is one.
    public let mainContext: MainContext?
    /// The internal implementation of updates.
    public let updater: Updater

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - mainContext: the main context that targets with automatic merging need. It must belong to the same stack, and
    ///     follow commits itself.
    ///   - updateTarget: `.persistentStore`, or a root context without automatic merging; with a main context, every target.
    ///   - updateOrder: whether its updates may run at the same time; nil for the stack's order.
    ///   - mergePolicy: which side wins when an update's commit meets another one's. None by default, as in Core Data: the
    /// later commit throws a ``/DataMonkCore/SaveError`` with the code `mergeConflict`. See
    /// ``Updating/update(retrying:deadline:_:fileID:line:)``.
    ///   - deadline: The deadline of calls that block (`beginUpdateAndWait`); `nil` for the stack's.
    /// - Throws: ``UpdateError`` with the code `invalidTarget` for a target that needs a main context, or a root context
    ///   that the stack does not have.
    public init(
        stack: Stack, mainContext: MainContext? = nil, updateTarget: UpdateTarget = .persistentStore,
        updateOrder: UpdateOrder? = nil, mergePolicy: MergePolicy = .error, deadline: Duration? = nil
    ) throws {
        try stack.require(updateTarget)
        if let mainContext, mainContext.stack !== stack { throw UpdateError.mainContextOfOtherStack() }
        if updateTarget.merges, mainContext?.updateTarget.merges != true {
            throw UpdateError.nothingToMergeInto(updateTarget, hasMainContext: mainContext != nil)
        }
        self.stack = stack
        self.mainContext = mainContext
        updater = Updater(
            settings: UpdateSettings(stack: stack, mergePolicy: mergePolicy, order: updateOrder, deadline: deadline))
    }
}

extension UpdateError {
    fileprivate static func nothingToMergeInto(_ target: UpdateTarget, hasMainContext: Bool) -> UpdateError {
        UpdateError(
            code: .invalidTarget,
            message: hasMainContext
                ? """
                The main context does not follow commits, as the target .\(target) demands. Create it with the target \
                .mainContext or .rootContext(autoMerge: true).
                """
                : """
                A Context without a main context has nothing to merge changes into, as the target .\(target) demands. \
                Pass mainContext:, use .persistentStore or .rootContext(autoMerge: false), or create a MainContext.
                """)
    }

    fileprivate static func mainContextOfOtherStack() -> UpdateError {
        UpdateError(
            code: .invalidTarget,
            message: "The main context belongs to another stack. Pass one that was created with this stack.")
    }
}
