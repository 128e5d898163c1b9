import DequeModule

extension CommitQueueState {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "CommitQueueState"
        for index in waiting.indices where index > 0 {
            try require(waiting[index - 1] < waiting[index], name, 1, "\(waiting) is not in ascending order")
        }
        try require(waiting.isEmpty || leader != nil, name, 2, "\(waiting) are waiting, but nobody is committing")

        var active = 0
        switch phase {
        case .idle: break
        case .chosen: active = 1
        case .writing(let batch):
            active = batch.count
            try checkBatch(batch, name)
        case .redoing(let batch, let alone):
            active = batch.count
            try checkBatch(batch, name)
            try require(0...batch.count ~= alone, name, 5, "\(alone) of \(batch.count) were committed alone")
        }
        let known = Set(waiting).union(leader.map { [$0] } ?? [])
        try require(
            loneMembers.isSubset(of: known), name, 6,
            "\(loneMembers.subtracting(known)) are unknown or belong to a batch")
        let accounted = ended + UInt64(waiting.count + active)
        try require(issued == accounted, name, 4, "\(issued) commits were enqueued, \(accounted) are accounted for")
    }

    private func checkBatch(_ batch: [MemberID], _ name: String) throws(InvariantViolation) {
        try require(1...batchLimit ~= batch.count, name, 3, "a batch of \(batch.count)")
        let isAlone = batch.count == 1 || loneMembers.isDisjoint(with: batch)
        try require(isAlone, name, 6, "a commit that must run alone is in \(batch)")
        for index in batch.indices where index > 0 {
            try require(batch[index - 1] < batch[index], name, 3, "\(batch) is not in ascending order")
        }
        if let last = batch.last, let first = waiting.first {
            try require(last < first, name, 3, "\(last) overtook \(first)")
        }
    }
}
