extension GenerationLedger {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "GenerationLedger"
        if let commit = commitInFlight {
            try require(
                commit.generation == published.next, in: name, invariant: 1,
                otherwise: "\(commit.generation) after \(published)")
        }
        try require(
            recent.count <= capacity, in: name, invariant: 2,
            otherwise: "\(recent.count) probes in a ring of \(capacity)")
        try require(recent.count <= published.rawValue, in: name, invariant: 2, otherwise: "more probes than commits")

        var counts: [Generation: Int] = [:]
        for generation in standings.values {
            try require(generation <= published, in: name, invariant: 3, otherwise: "\(generation) above \(published)")
            counts[generation, default: 0] += 1
        }
        try require(levels.count == counts.count, in: name, invariant: 4, otherwise: "\(levels) for \(counts)")
        for index in levels.indices {
            let level = levels[index]
            try require(
                level.count == counts[level.generation], in: name, invariant: 4, otherwise: "\(levels) for \(counts)")
            let ascends = index == 0 || levels[index - 1].generation < level.generation
            try require(ascends, in: name, invariant: 4, otherwise: "\(levels) is not in ascending order")
        }
    }
}
