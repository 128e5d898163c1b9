extension GenerationLedger {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "GenerationLedger"
        if let commit = commitInFlight {
            try require(commit.generation == published.next, name, 1, "\(commit.generation) after \(published)")
        }
        try require(recent.count <= capacity, name, 2, "\(recent.count) probes in a ring of \(capacity)")
        try require(recent.count <= published.rawValue, name, 2, "more probes than commits")

        var counts: [Generation: Int] = [:]
        for generation in standings.values {
            try require(generation <= published, name, 3, "\(generation) above \(published)")
            counts[generation, default: 0] += 1
        }
        try require(levels.count == counts.count, name, 4, "\(levels) for \(counts)")
        for index in levels.indices {
            let level = levels[index]
            try require(level.count == counts[level.generation], name, 4, "\(levels) for \(counts)")
            let ascends = index == 0 || levels[index - 1].generation < level.generation
            try require(ascends, name, 4, "\(levels) is not in ascending order")
        }
    }
}
