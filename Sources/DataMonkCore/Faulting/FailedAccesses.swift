/// **Confined.** The failed accesses of one context, which stand in the way of its saves.
///
///     empty --a property reads as empty, a setter is dropped--> noted --rollback, reset, disregardFailedReads--> empty
///
/// A later read that succeeds clears nothing: nobody knows what was computed from the substitute.
///
/// Conditions and sorts that are evaluated in memory can throw, which their readers cannot. What fails during such an
/// evaluation is kept here until it ends, and thrown then; nothing is noted.
///
/// Invariants:
/// 1. `entries` holds each failure once, the first ones, up to `limit`; `count` counts all of them, repeated ones too.
/// 2. Between calls `isEvaluating` is false, and there is no `evaluationError`.
struct FailedAccesses {
    /// **Value.** The state of an evaluation, to be put back when one inside of it ends.
    struct Evaluation {
        fileprivate var isRunning = false
        fileprivate var error: (any Error)?
    }

    private static let limit = 100

    private(set) var entries: [FailedAccess] = []
    private(set) var count = 0
    /// Whether a change was lost: then there is something that was to be saved, even if nothing else was changed.
    private(set) var hasDroppedWrites = false
    private var evaluation = Evaluation()

    var isEmpty: Bool { count == 0 }
    var isEvaluating: Bool { evaluation.isRunning }

    mutating func note(_ access: FailedAccess) {
        count += 1
        if access.kind == .write { hasDroppedWrites = true }
        if entries.count == Self.limit { return }
        let isKnown = entries.contains {
            $0.kind == access.kind && $0.objectID == access.objectID && $0.propertyName == access.propertyName
        }
        if !isKnown { entries.append(access) }
    }

    /// Takes over the failures of another context, whose changes are this one's now.
    mutating func note(_ other: FailedAccesses) {
        for access in other.entries { note(access) }
        if other.hasDroppedWrites { hasDroppedWrites = true }
    }

    /// A change came to nothing, or to less than was asked for, because the value it replaces could not be read. That read
    /// is noted by itself.
    mutating func noteLostChange() { hasDroppedWrites = true }

    mutating func clear() {
        entries = []
        count = 0
        hasDroppedWrites = false
    }

    // MARK: Evaluations

    /// Begins an evaluation.
    ///
    /// - Returns: what `endEvaluation` puts back.
    mutating func beginEvaluation() -> Evaluation {
        defer { evaluation = Evaluation(isRunning: true) }
        return evaluation
    }

    /// Ends an evaluation.
    ///
    /// - Returns: the first error of a read.
    mutating func endEvaluation(_ outer: Evaluation) -> (any Error)? {
        defer { evaluation = outer }
        return evaluation.error
    }

    /// Keeps the first error of a read that the running evaluation made.
    mutating func failEvaluation(_ error: any Error) {
        if evaluation.error == nil { evaluation.error = error }
    }
}

@available(*, unavailable)
extension FailedAccesses: Sendable {}

@available(*, unavailable)
extension FailedAccesses.Evaluation: Sendable {}
