extension CommitTransaction {
    /// Checks the numbered invariants of the design note.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "CommitTransaction"
        for index in members.indices {
            let expected: [MemberState] =
                index < position ? [.kept, .undone] : index == position ? [.open, .pending] : [.pending]
            try require(expected.contains(members[index]), name, 1, "\(members) at position \(position)")
        }
        if state == .committed {
            let isWhole = position == members.count && members.contains(.kept)
            try require(isWhole, name, 3, "committed with \(members)")
        }
    }
}
