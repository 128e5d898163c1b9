/// **Confined.** The failed accesses of one context, which prevent its saves.
///
///     empty --a property reads as empty, a setter is dropped--> recorded --rollback, reset, disregardFailedReads--> empty
///
/// A later successful read clears nothing, because it is unknown which values were computed from the substitute.
///
/// Conditions and sorts evaluated in memory can throw, although the reads inside them cannot. An error during such an
/// evaluation is kept here until the evaluation ends, and is thrown then; it is not recorded as a failed access.
///
/// Invariants:
/// 1. `entries` contains the first failures, up to `limit`, without duplicates; `count` is the number of all failures,
///    including repeated ones.
/// 2. Between calls, `isEvaluating` is `false`, and there is no `evaluationError`.
struct FailedAccesses {
    /// **Value.** The state of an evaluation, to be restored when a nested one ends.
    struct Evaluation {
        fileprivate var isRunning = false
        fileprivate var error: (any Error)?
    }

    private static let limit = 100

    private(set) var entries: [FailedAccess] = []
    private(set) var count = 0
    /// Indicates whether a change was lost. If so, there was something to save even if nothing else was changed.
    private(set) var hasDroppedWrites = false
    private var evaluation = Evaluation()
    /// The failures since a body began that shows values, up to `limit`; `nil` outside of one.
    private var shown: [FailedAccess]?

    var isEmpty: Bool { count == 0 }
    var isEvaluating: Bool { evaluation.isRunning }

    mutating func note(_ access: FailedAccess) {
        count += 1
        if let count = shown?.count, count < Self.limit { shown?.append(access) }
        if access.kind == .write { hasDroppedWrites = true }
        if entries.count == Self.limit { return }
        let isKnown = entries.contains {
            $0.kind == access.kind && $0.objectID == access.objectID && $0.propertyName == access.propertyName
        }
        if !isKnown { entries.append(access) }
    }

    /// Adds the failures of another context, whose changes are now this context's.
    mutating func note(_ other: FailedAccesses) {
        for access in other.entries { note(access) }
        if other.hasDroppedWrites { hasDroppedWrites = true }
    }

    /// Records that a change had no effect, or not its full effect, because the value that it replaces could not be read.
    /// The failed read is recorded separately.
    mutating func noteLostChange() { hasDroppedWrites = true }

    mutating func clear() {
        entries = []
        count = 0
        hasDroppedWrites = false
    }

    // MARK: Showing

    /// Begins to collect failures.
    ///
    /// - Returns: The state for `endShowing` to restore.
    mutating func beginShowing() -> [FailedAccess]? {
        defer { shown = [] }
        return shown
    }

    /// Ends collecting.
    ///
    /// - Returns: The failures since the beginning.
    mutating func endShowing(_ outer: [FailedAccess]?) -> [FailedAccess] {
        defer { shown = outer }
        return shown ?? []
    }

    // MARK: Evaluations

    /// Begins an evaluation.
    ///
    /// - Returns: The state for `endEvaluation` to restore.
    mutating func beginEvaluation() -> Evaluation {
        defer { evaluation = Evaluation(isRunning: true) }
        return evaluation
    }

    /// Ends an evaluation.
    ///
    /// - Returns: The first error of a read.
    mutating func endEvaluation(_ outer: Evaluation) -> (any Error)? {
        defer { evaluation = outer }
        return evaluation.error
    }

    /// Keeps the first error of a read during the current evaluation.
    mutating func failEvaluation(_ error: any Error) {
        if evaluation.error == nil { evaluation.error = error }
    }
}

@available(*, unavailable)
extension FailedAccesses: Sendable {}

@available(*, unavailable)
extension FailedAccesses.Evaluation: Sendable {}
