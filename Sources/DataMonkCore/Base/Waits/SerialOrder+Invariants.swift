import DequeModule

extension SerialOrder {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "SerialOrder"
        for index in queue.indices where index > 0 {
            try require(
                queue[index - 1] < queue[index], in: name, invariant: 1, otherwise: "\(queue) is not in ascending order"
            )
        }
        try require(
            queue.isEmpty || holder != nil, in: name, invariant: 2,
            otherwise: "\(queue) are waiting, but nobody holds the order")
        if let holder, let first = queue.first {
            try require(holder < first, in: name, invariant: 3, otherwise: "\(holder) overtook \(first)")
        }
        try require(
            (depth > 0) == (holder != nil), in: name, invariant: 4,
            otherwise: "depth \(depth) with holder \(holder as Ticket?)")
        try require(!isClosed || depth <= 1, in: name, invariant: 6, otherwise: "closed at depth \(depth)")
        let accounted = ended + UInt64(queue.count + (holder == nil ? 0 : 1))
        try require(
            issued == accounted, in: name, invariant: 5,
            otherwise: "\(issued) tickets were issued, \(accounted) are accounted for")
    }
}
