/// **Value.** The change of one row in a commit, as the row cache needs it.
package struct RowChange<Row: Sendable>: Sendable {
    /// **Value.** The state of the row after the commit.
    package enum Outcome: Sendable {
        /// Inserted or updated, with the new row.
        case row(Row)
        /// Deleted.
        case deleted
        /// Changed in a way that the committer did not see, such as by a batch request.
        case unseen
    }

    package let key: ObjectKey
    package let outcome: Outcome
    /// The row immediately before the commit, if the committer had it. Contexts behind continue to see it.
    package let preimage: Row?

    package init(_ key: ObjectKey, outcome: Outcome, preimage: Row? = nil) {
        self.key = key
        self.outcome = outcome
        self.preimage = preimage
    }
}
