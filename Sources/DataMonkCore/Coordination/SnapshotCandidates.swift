/// **Value.** Which generations a snapshot can be of, and how to find out which it is.
package enum SnapshotCandidates<Probe: Sendable>: Sendable {
    /// The snapshot is of this generation.
    case exactly(Generation)
    /// Test the probes in this order against the snapshot: the first that is visible names its generation. If none
    /// is, the snapshot is of `otherwise`; without `otherwise` it cannot be told, and the reader opens another one.
    case between(newestFirst: [Candidate], otherwise: Generation?)
    /// It cannot be told: open another snapshot.
    case retry

    /// **Value.** A generation and the fact that shows it.
    package struct Candidate: Sendable {
        package let generation: Generation
        package let probe: Probe
    }

    /// The snapshot's generation, or nil if the reader has to open another snapshot.
    ///
    /// - Parameter isVisible: whether the probe's fact is true in the snapshot. Asked newest first, at most once each.
    package func resolve<Failure: Error>(_ isVisible: (Probe) throws(Failure) -> Bool) throws(Failure) -> Generation? {
        switch self {
        case .exactly(let generation): return generation
        case .retry: return nil
        case .between(let candidates, let otherwise):
            for candidate in candidates where try isVisible(candidate.probe) { return candidate.generation }
            return otherwise
        }
    }
}
