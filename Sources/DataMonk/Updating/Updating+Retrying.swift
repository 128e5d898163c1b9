import DataMonkCore

extension Updating {
    /// Runs an update and returns its result; runs it again if others have committed what it has changed since it read it.
    ///
    ///     try await World.update(retrying: 10) { update in
    ///         let account = try update.use(id)
    ///         account.balance += try await rates.interest(on: account.balance)
    ///         try update.commit()
    ///     }
    ///
    /// For a new value that is computed from the old one. The update commits under the merge policy `error`, whatever the
    /// context's is. If a conflict leaves the body, the body runs again, in a new update that reads anew. Those of a stack
    /// that run again do so one after the other, except inside of other updates.
    ///
    /// - The body has to bear repetition: what it does beside the update (a message sent, a counter raised) happens each time.
    /// - An update that has committed something, or executed a batch request, is not run again: that would be there twice. Nor
    ///   is one of which a commit or a request has failed with the code `outcomeUnknown` or `savedInPart`, even if the body
    ///   goes on after that.
    /// - Rows that it has only read are not guarded: what it has read of one object and written to another may be out of date.
    ///   Change what must not change meanwhile, or use the order `.serial`.
    ///
    /// For adding to a number, ``Editor/increment(_:by:of:)-(KeyPath<Object,Number>,_,ObjectID<Object>)`` needs no second run.
    ///
    /// - Parameters:
    ///   - limit: how often the body may run again.
    ///   - deadline: The longest time from the call to its return, repetitions included; `nil` for no limit.
    /// - Throws: what the body throws: the ``/DataMonkCore/SaveError`` with the code `mergeConflict` or
    ///   `constraintConflict` of the last run; ``UpdateError`` if the wait could not end, or reaches the deadline. A fetch
    ///   or commit of the body that reaches the deadline throws `deadlinePassed` as an error of its own.
    public nonisolated(nonsending) func update<Result: Sendable>(
        retrying limit: Int, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Result {
        let call = UpdateCall("update(retrying:)", file: fileID, line: line)
        let settings = updater.settings
        let order = settings.order.map { [$0] } ?? []
        let deadline = deadline.map { ContinuousClock.now + $0 }
        var isRetry = false
        var left = limit
        while true {
            if isRetry, let deadline, deadline <= .now { throw UpdateError.deadlinePassed(retrying: call) }
            // Before the order: whoever has that is waited for by all. Inside of another update it does not wait for those
            // that run again: they may wait for that update, or it may be one of them.
            let takesTurns = isRetry && UpdateScope.current == nil
            let gates = takesTurns ? [settings.stack.retries] + order : order
            let context = UpdateContext(settings, mergePolicy: .error, through: gates)
            do {
                return try await context.step(call, until: deadline, body: body)
            } catch let error as SaveError where error.code == .mergeConflict || error.code == .constraintConflict {
                if left <= 0 || context.hasCommitted { throw error }
                left -= 1
                isRetry = true
            }
        }
    }
}
