import DequeModule

extension Mailbox {
    /// Checks the numbered invariants of the design note. The second is kept by the type of `pending`.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "Mailbox"
        switch pending {
        case .notices(let notices):
            try require(notices.count <= capacity, name, 1, "\(notices.count) notices in a mailbox for \(capacity)")
            let weight = notices.reduce(0) { $0 + $1.weight }
            try require(weight == pendingWeight, name, 1, "notices weigh \(weight), said to be \(pendingWeight)")
            try require(weight <= weightLimit, name, 1, "notices weigh \(weight) of \(weightLimit)")
            for index in notices.indices where index > 0 {
                let ascends = notices[index - 1].generation < notices[index].generation
                try require(ascends, name, 1, "notices do not ascend")
            }
            if let first = notices.first {
                try require(first.generation > drainedThrough, name, 3, "\(first.generation) was drained")
            }
        case .refreshMark(let from, let through):
            try require(from <= through, name, 1, "a mark from \(from) through \(through)")
            try require(from > drainedThrough, name, 3, "a mark from \(from), drained through \(drainedThrough)")
        }
        try require(isEmpty || isTurnScheduled, name, 4, "something is pending and no turn is scheduled")
    }
}
