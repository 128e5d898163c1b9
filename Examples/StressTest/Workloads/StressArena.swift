import DataMonk
import Foundation

/// **Shared.** A stack with the contexts of a set-up.
final class StressArena: Sendable {
    let stack: Stack
    /// What makes updates.
    let updater: any Updating
    /// What shows the data on the main actor.
    let world: MainContext
    /// Resets the main context after each commit, where the set-up asks for that.
    private let observer: CommitObserver?

    @MainActor init(_ options: StressOptions) throws {
        stack = try Stack(Bank.self, Account.self, Register.self)
        if let file = options.file {
            try stack.addDatabaseStore(fileURL: file)
        } else {
            try stack.addInMemoryStore()
        }
        let target: UpdateTarget =
            switch options.setUp {
            case .threeTiers: .mainContext
            case .autoMerge: .rootContext(autoMerge: true)
            case .manualReload: .rootContext(autoMerge: false)
            case .screens: .persistentStore
            }
        // On a machine with much else to do, whoever yields may wait long for a thread: that is no stall.
        let deadline = Duration.seconds(600)
        let world = try MainContext(
            stack: stack, updateTarget: target, updateOrder: options.order, mergePolicy: .error, deadline: deadline)
        self.world = world
        if options.setUp == .screens {
            let context = try Context(
                stack: stack, updateOrder: options.order, mergePolicy: .error, deadline: deadline)
            updater = context
            observer = context.observeCommit { world.reset() }
        } else {
            updater = world
            observer = nil
        }
    }

    /// Runs a transaction until it meets no newer version.
    ///
    /// - Returns: what it returned, how long it took, how often it was tried again.
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (Update) async throws -> Result
    ) async throws -> (result: Result, latency: Duration, conflicts: Int) {
        let start = ContinuousClock.now
        var conflicts = 0
        while true {
            do {
                let result = try await updater.update { update in try await body(update) }
                return (result, ContinuousClock.now - start, conflicts)
            } catch let error as SaveError where error.code == .mergeConflict {
                conflicts += 1
            }
        }
    }
}
