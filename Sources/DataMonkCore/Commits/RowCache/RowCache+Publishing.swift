extension RowCache {
    /// Begins to add the changes of a commit, in parts. Called after COMMIT.
    ///
    /// The former rows of the changed keys become older versions, where contexts behind find them until `prune`. Until the end, answers for its generation are `unknown`, those for
    /// older ones are as before, and no row of its generation can be put in.
    package mutating func beginPublishing(at generation: Generation) {
        precondition(!isPublishing && generation > newest, "Commits are published in the order of their generations")
        incoming = generation
    }

    /// Adds some of the changes of the commit whose publication has begun.
    package mutating func publishPart(now: Int64 = .min, _ tellChanges: ((RowChange<Row>) -> Void) -> Void) {
        tellChanges { publish($0, now: now) }
        keepWithinLimit()
    }

    /// Ends the publication of a commit, all changes of which have been added.
    package mutating func endPublishing() { newest = incoming }

    /// Indicates whether some changes of a commit may be missing.
    package var isPublishing: Bool { incoming > newest }

    /// Reserves space for `count` new rows.
    package mutating func reserve(_ count: Int) { table.reserve(Swift.min(count, capacity - table.count)) }

    private mutating func publish(_ change: RowChange<Row>, now: Int64) {
        let index = table.find(change.key)
        if let index {
            let entry = table.entries[index]
            // Two members of a batch may change the same row: the result of the first was never visible.
            if entry.since < incoming {
                appendOlderVersion(change.key, row: entry.row, since: entry.since, until: incoming)
            }
        } else if let preimage = change.preimage, floor < incoming {
            // Without an entry, the row has not changed after the floor.
            appendOlderVersion(change.key, row: preimage, since: floor, until: incoming)
        }
        switch change.outcome {
        case .row(let row): set(change.key, at: index, to: row, now: now)
        case .deleted:
            set(change.key, at: index, to: nil, now: now)
            if marks.count == capacity { removeFirstMark() }
            marks.append(DeletionMark(key: change.key, since: incoming))
        case .unseen:
            if let index { remove(at: index) }
            floor = incoming
        }
    }

    private mutating func set(_ key: ObjectKey, at index: Int?, to row: Row?, now: Int64) {
        if let index {
            replace(at: index, row: row, since: incoming, now: now)
        } else {
            if table.count == capacity { evictOne() }
            keep(row)
            table.add(RowCacheEntry(key: key, row: row, since: incoming, storedAt: now))
        }
    }
}
