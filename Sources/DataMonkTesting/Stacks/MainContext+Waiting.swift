public import DataMonk
import DataMonkCore

extension MainContext {
    /// Waits until the context shows everything that was committed before the call, and has told its lists and observers.
    ///
    /// ```swift
    /// let people = try World.fetchedResults(Person.self, orderBy: .Ascending("name"))
    /// try await importPeople(into: World)
    /// try await World.waitUntilListsAreCurrent()
    /// #expect(people.count == 1_000)
    /// ```
    /// A context takes commits over between two turns of the main actor, a large one over several turns. This call lets those
    /// turns pass; it does not shorten them, so a test sees what the application will see. Blocks of `observeChanges`, of
    /// objects' `observe` and of lists have been called when it returns, those of lists of drafts as well. Commits during the
    /// wait are not waited for.
    ///
    /// Three things follow elsewhere. The loop over a sequence (`changes`, `objectChanges`) goes on in its own task. A loop over
    /// `observeValue` computes its value when it asks for the next one. A commit of another process counts once the stack has
    /// found it; `refreshAll()` looks for it.
    ///
    /// - Parameter deadline: The longest time to wait.
    /// - Throws: `UpdateError` with the code `deadlinePassed`, which says what has not caught up; with the code
    ///   `invalidTarget` if the context does not follow commits, so that nothing would ever come; `CancellationError` if the
    ///   task is cancelled.
    public func waitUntilListsAreCurrent(deadline: Duration = .seconds(60)) async throws {
        let context = managedObjectContext
        let target = context.coordinator.publishedGeneration
        let end = ContinuousClock.now + deadline
        while let lag = context.lag(behind: target) {
            try Task.checkCancellation()
            if lag == .unfollowing { throw UpdateError.isNotFollowing(updateTarget) }
            if ContinuousClock.now >= end { throw UpdateError.hasNotCaughtUp(lag, after: deadline) }
            await Task.yield()
        }
    }
}

extension UpdateError {
    fileprivate static func isNotFollowing(_ target: UpdateTarget) -> UpdateError {
        UpdateError(
            code: .invalidTarget,
            message: """
                The main context does not follow commits, because its update target is \(target). Its lists change when \
                the test calls refreshAll() or reset().
                """)
    }

    fileprivate static func hasNotCaughtUp(_ lag: MergeLag, after deadline: Duration) -> UpdateError {
        let state =
            switch lag {
            case .commits(let count): "\(count) \(count == 1 ? "commit is" : "commits are") not shown yet"
            case .notices, .unfollowing: "the newest commit is shown, but lists and observers have not been told"
            }
        return UpdateError(
            code: .deadlinePassed,
            message: """
                The lists of the main context have not caught up after \(deadline): \(state). Look for code that holds \
                the main actor, or set a later deadline.
                """)
    }
}
