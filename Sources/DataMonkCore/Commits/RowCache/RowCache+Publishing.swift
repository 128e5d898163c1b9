extension RowCache {
    /// Adds the changes of a commit. Called after COMMIT, before the ledger publishes the generation.
    ///
    /// The former rows of the changed keys become older versions, where contexts behind find them until `prune`.
    package mutating func publish(
        _ changes: some Sequence<RowChange<Row>>, at generation: Generation, now: Int64 = .min
    ) {
        publish(at: generation, now: now) { tell in
            for change in changes { tell(change) }
        }
    }

    /// Adds the changes of a commit from a source that reports them one by one and has no list of them.
    package mutating func publish(
        at generation: Generation, now: Int64 = .min, _ tellChanges: ((RowChange<Row>) -> Void) -> Void
    ) {
        precondition(generation > newest, "Commits are published in the order of their generations")
        newest = generation
        tellChanges { publish($0, now) }
        keepWithinLimit()
    }

    /// Reserves space for `count` new rows.
    package mutating func reserve(_ count: Int) { table.reserve(Swift.min(count, capacity - table.count)) }

    private mutating func publish(_ change: RowChange<Row>, _ now: Int64) {
        let index = table.find(change.key)
        if let index {
            let entry = table.entries[index]
            // Two members of a batch may change the same row: the result of the first was never visible.
            if entry.since < newest {
                appendOlderVersion(change.key, row: entry.row, since: entry.since, until: newest)
            }
        } else if let preimage = change.preimage, floor < newest {
            // Without an entry, the row has not changed after the floor.
            appendOlderVersion(change.key, row: preimage, since: floor, until: newest)
        }
        switch change.outcome {
        case .row(let row): set(change.key, at: index, to: row, now)
        case .deleted:
            set(change.key, at: index, to: nil, now)
            if marks.count == capacity { removeFirstMark() }
            marks.append(DeletionMark(key: change.key, since: newest))
        case .unseen:
            if let index { remove(at: index) }
            floor = newest
        }
    }

    private mutating func set(_ key: ObjectKey, at index: Int?, to row: Row?, _ now: Int64) {
        if let index {
            replace(at: index, row: row, since: newest, now: now)
        } else {
            if table.count == capacity { evictOne() }
            keep(row)
            table.add(RowCacheEntry(key: key, row: row, since: newest, storedAt: now))
        }
    }
}
