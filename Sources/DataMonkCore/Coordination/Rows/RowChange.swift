/// **Value.** What a commit made of one row, as the row cache wants to know it.
package struct RowChange<Row: Sendable>: Sendable {
    /// What the row is now.
    package enum Outcome: Sendable {
        /// Inserted or updated; this is the new row.
        case row(Row)
        /// Deleted.
        case deleted
        /// Changed in a way that the committer did not see: a batch request, say.
        case unseen
    }

    package let key: ObjectKey
    package let outcome: Outcome
    /// The row as it was just before the commit, if the committer held it: what contexts behind go on seeing.
    package let preimage: Row?

    package init(_ key: ObjectKey, _ outcome: Outcome, preimage: Row? = nil) {
        self.key = key
        self.outcome = outcome
        self.preimage = preimage
    }
}
