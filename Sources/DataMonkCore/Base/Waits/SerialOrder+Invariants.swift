import DequeModule

extension SerialOrder {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "SerialOrder"
        for index in queue.indices where index > 0 {
            try require(queue[index - 1] < queue[index], name, 1, "\(queue) is not in ascending order")
        }
        try require(queue.isEmpty || holder != nil, name, 2, "\(queue) are waiting, but nobody holds the order")
        if let holder, let first = queue.first {
            try require(holder < first, name, 3, "\(holder) overtook \(first)")
        }
        try require((depth > 0) == (holder != nil), name, 4, "depth \(depth) with holder \(holder as Ticket?)")
        try require(!isClosed || depth <= 1, name, 6, "closed at depth \(depth)")
        let accounted = ended + UInt64(queue.count + (holder == nil ? 0 : 1))
        try require(issued == accounted, name, 5, "\(issued) tickets were issued, \(accounted) are accounted for")
    }
}
