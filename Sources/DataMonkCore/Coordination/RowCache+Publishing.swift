extension RowCache {
    /// Takes in what a commit changed. After COMMIT, before the ledger publishes the generation.
    ///
    /// What the changed keys were before moves to the older versions, where contexts behind find it until `prune`.
    package mutating func publish(_ changes: some Sequence<RowChange<Row>>, at generation: Generation) {
        precondition(generation > newest, "Commits are published in their order")
        newest = generation
        for change in changes { publish(change) }
    }

    private mutating func publish(_ change: RowChange<Row>) {
        let index = table.find(change.key)
        if let index {
            let entry = table.entries[index]
            // Two members of a batch may change one row: what the first made of it was never visible.
            if entry.since < newest { older.append(change.key, row: entry.row, since: entry.since, until: newest) }
        } else if let preimage = change.preimage, floor < newest {
            // Without an entry the row has not changed after the floor.
            older.append(change.key, row: preimage, since: floor, until: newest)
        }
        switch change.outcome {
        case .row(let row): set(change.key, at: index, to: row)
        case .deleted:
            set(change.key, at: index, to: nil)
            if marks.count == capacity { removeFirstMark() }
            marks.append(DeletionMark(key: change.key, since: newest))
        case .unseen:
            if let index { table.remove(at: index) }
            floor = newest
        }
    }

    private mutating func set(_ key: ObjectKey, at index: Int?, to row: Row?) {
        if let index {
            table.replace(at: index, row: row, since: newest)
        } else {
            if table.count == capacity { evictOne() }
            table.add(RowCacheEntry(key: key, row: row, since: newest))
        }
    }
}
