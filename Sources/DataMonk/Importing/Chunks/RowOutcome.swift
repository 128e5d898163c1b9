/// **Value.** The outcome of one row.
enum RowOutcome: Sendable {
    case inserted
    case updated
    case unchanged
    case skipped
    case failed(ImportFailure)
}

/// **Value.** The outcome of a chunk that is committed.
struct ChunkOutcome: Sendable {
    /// An outcome for each row.
    var rows: [RowOutcome]
    var relatedInserted = 0
    var unusedNames: Set<String> = []

    func with(_ unusedNames: Set<String>) -> ChunkOutcome {
        var copy = self
        copy.unusedNames = unusedNames
        return copy
    }
}
