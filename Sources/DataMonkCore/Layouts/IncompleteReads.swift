/// **Shared.** The incomplete reads of a coordinator's contexts, of which the reading code could catch no error.
///
///     nothing --a property reads as empty--> kept --disregardFailedReads() of its context--> nothing
///     nothing --a fetch leaves rows out--> kept
///
/// A migration keeps it while code of a stage runs: the next stage removes what the code has not seen. Unlike the failed
/// accesses of a context, it outlives a `rollback()` and a `reset()`, and the context itself.
package final class IncompleteReads: Sendable {
    /// The first error of each context. That of a read which no context can disregard is under `nil`.
    private let errors = Locked<[ContextID?: any Error]>([:])

    package init() {}

    /// The error of the first context that has one.
    package var first: (any Error)? {
        errors.withLock { errors in
            errors.min { ($0.key?.rawValue ?? 0) < ($1.key?.rawValue ?? 0) }?.value
        }
    }

    func note(_ error: any Error, of context: ContextID?) {
        errors.withLock { errors in
            if errors[context] == nil { errors[context] = error }
        }
    }

    func disregard(_ context: ContextID) { errors.withLock { _ = $0.removeValue(forKey: context) } }
}
