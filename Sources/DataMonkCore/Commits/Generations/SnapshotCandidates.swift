/// **Value.** The possible generations of a snapshot, and a way to determine the right one.
package enum SnapshotCandidates<Probe: Sendable>: Sendable {
    /// The snapshot is of this generation.
    case exactly(Generation)
    /// Test the probes in this order against the snapshot: the first visible one determines its generation. If none is
    /// visible, the generation is `otherwise`; without `otherwise`, it cannot be determined, and the reader opens another
    /// snapshot.
    case between(newestFirst: [Candidate], otherwise: Generation?)
    /// It cannot be determined: open another snapshot.
    case retry

    /// **Value.** A generation and the fact by which it is recognized.
    package struct Candidate: Sendable {
        package let generation: Generation
        package let probe: Probe
    }

    /// Returns the snapshot's generation, or `nil` if the reader must open another snapshot.
    ///
    /// - Parameter isVisible: Returns whether the probe's fact is true in the snapshot, or `nil` if that cannot be determined.
    ///   Called newest first, at most once for each probe.
    package func resolve<Failure: Error>(_ isVisible: (Probe) throws(Failure) -> Bool?) throws(Failure) -> Generation? {
        switch self {
        case .exactly(let generation): return generation
        case .retry: return nil
        case .between(let candidates, let otherwise):
            for candidate in candidates {
                guard let isVisible = try isVisible(candidate.probe) else { return nil }
                if isVisible { return candidate.generation }
            }
            return otherwise
        }
    }
}
