import DequeModule

extension CommitQueueState {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "CommitQueueState"
        for index in waiting.indices where index > 0 {
            try require(
                waiting[index - 1] < waiting[index], in: name, invariant: 1,
                otherwise: "\(waiting) is not in ascending order")
        }
        try require(
            waiting.isEmpty || leader != nil, in: name, invariant: 2,
            otherwise: "\(waiting) are waiting, but nobody is committing")

        var active = 0
        switch phase {
        case .idle: break
        case .chosen: active = 1
        case .writing(let batch):
            active = batch.count
            try checkBatch(batch, in: name)
        case .redoing(let batch, let alone):
            active = batch.count
            try checkBatch(batch, in: name)
            try require(
                0...batch.count ~= alone, in: name, invariant: 5,
                otherwise: "\(alone) of \(batch.count) were committed alone")
        }
        let known = Set(waiting).union(leader.map { [$0] } ?? [])
        try require(
            loneMembers.isSubset(of: known), in: name, invariant: 6,
            otherwise: "\(loneMembers.subtracting(known)) are unknown or belong to a batch")
        let accounted = ended + UInt64(waiting.count + active)
        try require(
            issued == accounted, in: name, invariant: 4,
            otherwise: "\(issued) commits were enqueued, \(accounted) are accounted for")
    }

    private func checkBatch(_ batch: [MemberID], in name: String) throws(InvariantViolation) {
        try require(1...batchLimit ~= batch.count, in: name, invariant: 3, otherwise: "a batch of \(batch.count)")
        let isAlone = batch.count == 1 || loneMembers.isDisjoint(with: batch)
        try require(isAlone, in: name, invariant: 6, otherwise: "a commit that must run alone is in \(batch)")
        for index in batch.indices where index > 0 {
            try require(
                batch[index - 1] < batch[index], in: name, invariant: 3, otherwise: "\(batch) is not in ascending order"
            )
        }
        if let last = batch.last, let first = waiting.first {
            try require(last < first, in: name, invariant: 3, otherwise: "\(last) overtook \(first)")
        }
    }
}
