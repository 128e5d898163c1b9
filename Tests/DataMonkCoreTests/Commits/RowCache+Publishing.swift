import DataMonkCore

extension RowCache {
    /// Adds the changes of a commit.
    mutating func publish(_ changes: [RowChange<Row>], at generation: Generation, now: Int64 = .min) {
        beginPublishing(at: generation)
        publishPart(now: now) { tell in for change in changes { tell(change) } }
        endPublishing()
    }
}
