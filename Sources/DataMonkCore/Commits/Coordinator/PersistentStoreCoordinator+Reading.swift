import Synchronization

extension PersistentStoreCoordinator {
    /// The newest generation that every new snapshot contains.
    package var publishedGeneration: Generation { Generation(rawValue: published.load(ordering: .acquiring)) }

    func cachedRow(for key: ObjectKey, at generation: Generation) -> RowCache<Row>.Answer {
        rows.withLock { $0.cache.lookUp(key, at: generation) }
    }

    /// Removes rows from the cache that were changed outside of the stack.
    func forgetRows(of keys: [ObjectKey]) {
        rows.withLock { rows in
            for key in keys { rows.cache.remove(key) }
        }
    }

    /// Returns a row from the cache if it was read or written in the last `maximumAge` milliseconds.
    func cachedRow(for key: ObjectKey, at generation: Generation, maximumAge: Int64) -> RowCache<Row>.Answer {
        rows.withLock { rows in
            guard rows.clockStart != nil else { return .unknown }
            return rows.cache.lookUp(key, at: generation, storedSince: rows.now - maximumAge)
        }
    }

    /// Starts the clock by which the cache records the times of rows.
    func startClock() {
        rows.withLock { rows in
            if rows.clockStart == nil { rows.clockStart = .now }
        }
    }

    func cache(_ row: Row, for key: ObjectKey, readAt generation: Generation) {
        rows.withLock { rows in
            _ = rows.cache.put(row, for: key, readAt: generation, now: rows.now)
        }
    }

    func cache(_ read: some Sequence<(ObjectKey, Row)>, readAt generation: Generation) {
        rows.withLock { rows in
            let now = rows.now
            for (key, row) in read { rows.cache.put(row, for: key, readAt: generation, now: now) }
        }
    }

    /// Opens a reader on every store and determines the generation that they show.
    ///
    /// If a commit is already visible but not yet published, waits for its publication. That is only a few memory accesses
    /// away in a file. On a server it comes once the commit is on disk there; meanwhile no reader is open.
    ///
    /// - Parameters:
    ///   - mayBeReplica: Whether copies of the stores may be read.
    ///   - deadline: The time by which the caller needs the snapshot; `nil` for none. Called if something may take long: a
    ///     store on a server, or a commit.
    func openSnapshot(
        mayBeReplica: Bool = false, until deadline: () -> ContinuousClock.Instant? = { nil }
    ) throws -> StoreSnapshot {
        var attempts = 0
        while true {
            let (before, stores) = shared.withLock { ($0.ledger.stamp, $0.stores) }
            if stores.isEmpty { throw noStores }
            let readers = try open(stores, mayBeReplica: mayBeReplica, until: deadline)
            let state = Result { try publishedGeneration(of: readers, openedAfter: before) }
            if case .success(let generation?) = state {
                return StoreSnapshot(readers: readers, generation: generation)
            }
            for reader in readers { reader.end() }
            _ = try state.get()
            try waitUntilLanded(until: deadline)
            attempts += 1
            if attempts > 10_000 { throw StoreError.snapshotUnavailable }
            // Own commits may follow each other for ever.
            if let deadline = deadline(), deadline <= .now { throw StoreError.snapshotUnavailable }
        }
    }

    /// Returns the generation that readers show, completely and exclusively; `nil` if they show none, so that new ones must be
    /// opened, once no commit is in flight.
    private func publishedGeneration(
        of readers: [any StoreReader], openedAfter before: GenerationStamp
    ) throws -> Generation? {
        var mayFollowCommit = false
        for reader in readers {
            switch try reader.tellForeignCommits() {
            case .told: continue
            case .toldBeforeCommit: mayFollowCommit = true
            case .untold: return nil
            }
        }
        // After the readers have determined their state, whose generation is between the two stamps or before them.
        let (candidates, isInFlight, storeCount) = shared.withLock {
            let stamp = $0.ledger.stamp
            return (
                $0.ledger.candidates(openedBetween: before, and: stamp), stamp.inFlight != nil, $0.stores.count
            )
        }
        // A store was added meanwhile. A commit to it may be among those that the readers are asked about.
        if storeCount > readers.count { return nil }
        // If it has ended, nothing tells whether the snapshot was opened before it.
        if mayFollowCommit, !isInFlight { return nil }
        guard let generation = try resolve(candidates, with: readers, mayFollowCommit: mayFollowCommit) else {
            return nil
        }
        // Others may have committed after the commit, which is about to be published.
        if mayFollowCommit, generation > before.published { return nil }
        return try isPublishedSoon(generation, since: before) ? generation : nil
    }

    private func resolve(
        _ candidates: SnapshotCandidates<CommitProbe>, with readers: [any StoreReader], mayFollowCommit: Bool
    ) throws -> Generation? {
        if readers.count > 1, readers.count(where: { !($0 is RemovedStoreReader) }) > 1 {
            // Since they were opened one after the other, they may show different generations unless no commit came in
            // between.
            if case .exactly(let generation) = candidates { return generation }
            return nil
        }
        return try candidates.resolve { probe in
            switch probe {
            case .version(let key, let version):
                if let found = try readers[key.storeIndex].version(of: key) { return found >= version }
                if !mayFollowCommit { return false }
                // Not inserted yet, unless its key has been assigned: another process may have deleted it.
                return try hasAssigned(key, in: readers) ? nil : false
            case .primaryKey(let key): return try hasAssigned(key, in: readers)
            }
        }
    }

    private func hasAssigned(_ key: ObjectKey, in readers: [any StoreReader]) throws -> Bool {
        try readers[key.storeIndex].lastPrimaryKey(of: model.entities[key.entityIndex]) >= key.primaryKey
    }

    private func open(
        _ stores: [any PersistentStore], mayBeReplica: Bool, until deadline: () -> ContinuousClock.Instant?
    ) throws -> [any StoreReader] {
        var readers: [any StoreReader] = []
        do {
            for store in stores {
                readers.append(
                    try mayBeReplica ? store.openReplicaReader(until: deadline) : store.openReader(until: deadline))
            }
        } catch {
            for reader in readers { reader.end() }
            throw error
        }
        return readers
    }

    /// The number of looks at a commit in flight before a reader's thread is blocked: a file's commit has ended by then.
    private static var lookCount: Int { 1_000 }
    /// The number of readers that wait for the end of a commit.
    package var waitingReaderCount: Int { shared.withLock { $0.waitingReaders.count } }

    /// Waits for the commit in flight, if there is one, and for its rows.
    ///
    /// - Parameter deadline: The time after which it gives up, if that is shorter than the time that commits may take.
    func waitUntilLanded(until deadline: () -> ContinuousClock.Instant? = { nil }) throws {
        for _ in 0..<Self.lookCount {
            if !shared.withLock({ isLanding($0) }) { return }
            try requireOutsideCommit()
            yieldProcessor()
        }
        let latest = ContinuousClock.now + (stores.map(\.landingTime).max() ?? .zero)
        let deadline = min(deadline() ?? latest, latest)
        while let wakeup = shared.withLock({ isLanding($0) ? $0.addReader() : nil }) {
            guard wakeup.wait(until: deadline) != nil else { throw StoreError.snapshotUnavailable }
        }
    }

    /// Returns `true` while a commit is in flight or its rows are being added to the cache. The next generation must wait.
    func isLanding(_ shared: Shared) -> Bool {
        shared.ledger.stamp.inFlight != nil || rows.withLock { $0.cache.isPublishing }
    }

    /// Returns whether a generation is published, which may be about to happen. It may be given up after all.
    ///
    /// - Parameter before: The stamp from before the generation was determined: another commit has the number of one that was
    ///   abandoned since.
    private func isPublishedSoon(_ generation: Generation, since before: GenerationStamp) throws -> Bool {
        for _ in 0..<Self.lookCount {
            let stamp = shared.withLock { $0.ledger.stamp }
            if stamp.abandonCount != before.abandonCount { return false }
            if stamp.published >= generation { return true }
            if stamp.inFlight != generation { return false }
            try requireOutsideCommit()
            // The leader is between COMMIT and publishing: in a file, it is running, or is about to run.
            yieldProcessor()
        }
        return false
    }
}
