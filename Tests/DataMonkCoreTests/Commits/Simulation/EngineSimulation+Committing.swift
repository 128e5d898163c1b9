import DataMonkCore

extension EngineSimulation {
    /// Steps of the leader are offered several times: it takes ten of them to make a generation.
    func appendSteps(of leader: SimulatedLeader, to steps: inout [Step]) {
        func offer(_ step: Step, _ times: Int = 8) {
            for _ in 0..<times { steps.append(step) }
        }
        guard let transaction = leader.transaction else { return offer(leader.batch.isEmpty ? .take : .finish) }
        switch transaction.next {
        case .write:
            offer(.writeMember)
            offer(.failMember, 1)
            offer(.fall, 1)
        case .commit where leader.announced == nil: offer(.announce)
        case .commit:
            offer(.commitStore)
            offer(.refuseCommit, 1)
            offer(.failCommit, 1)
        case .rollBack: offer(.abandonEmpty)
        case nil:
            if !leader.isPublished { offer(.publish) }
            if !leader.isCacheTold { offer(.publishCache) }
        }
    }

    mutating func performLeading(_ step: Step) throws {
        switch step {
        case .take: try take()
        case .writeMember: writeMember(keep: true)
        case .failMember: try failMember()
        case .fall:
            leader?.transaction?.beginMember()
            store.rollBack()
            try fall()
        case .announce: announce()
        case .commitStore:
            store.commit()
            leader?.transaction?.commit()
        case .refuseCommit: try refuseCommit()
        case .failCommit:
            store.rollBack()
            if let generation = leader?.announced { ledger.abandon(generation) }
            try fall()
        case .publishCache: try publishCache()
        case .publish: try publish()
        case .abandonEmpty:
            store.rollBack()
            leader?.transaction?.rollBack()
            try nextTransaction()
        case .finish: try finish()
        default: break
        }
    }

    private mutating func take() throws {
        guard let chosen = leader?.commit else { return }
        let members = queue.take(by: commits[chosen].member)
        let batch = members.compactMap { member in commits.firstIndex { $0.member == member } }
        let lastTaken = commits.indices.last { commits[$0].isTaken } ?? -1
        for commit in batch {
            try promise(commit > lastTaken, 5, "commit \(commit) taken after \(lastTaken)")
            commits[commit].isTaken = true
        }
        leader?.batch = batch
        begin(batch)
    }

    private mutating func begin(_ carried: [Int]) {
        leader?.carried = carried
        leader?.transaction = CommitTransaction(memberCount: carried.count)
        leader?.changes = []
        leader?.announced = nil
        leader?.isCacheTold = false
        leader?.isPublished = false
        leader?.toldChanges = nil
        store.begin()
    }

    private mutating func writeMember(keep: Bool) {
        guard let leader, case .write(let position) = leader.transaction?.next else { return }
        let number = leader.carried[position]
        let commit = commits[number]
        self.leader?.transaction?.beginMember()
        store.openSavepoint()
        let before = store.writersRow(commit.key)
        let after = store.write(commit.key, delete: commit.kind == .delete, by: number)
        guard keep else { return }
        store.releaseSavepoint()
        self.leader?.transaction?.keep()
        let outcome: RowChange<SimulatedRow>.Outcome
        switch (commit.kind, after) {
        case (.update, let row?): outcome = .row(row)
        case (.delete, _): outcome = .deleted
        default: outcome = .unseen
        }
        // Some committers know what they overwrite, some do not.
        let preimage = number % 2 == 0 ? before : nil
        let change = RowChange(objectKey(commit.key), outcome, preimage: preimage)
        self.leader?.changes.append((number, change))
    }

    private mutating func failMember() throws {
        guard let leader, case .write(let position) = leader.transaction?.next else { return }
        writeMember(keep: false)
        store.rollBackToSavepoint()
        store.releaseSavepoint()
        if fault == .savepointReleasedTwice { store.releaseSavepoint() }
        self.leader?.transaction?.undo()
        commits[leader.carried[position]].result = .failed
    }

    /// The transaction no longer stands: its members run alone; one that is alone has failed.
    private mutating func fall() throws {
        leader?.transaction?.fall()
        guard let leader else { return }
        if leader.isRedoing {
            for commit in leader.carried { commits[commit].result = .failed }
        } else {
            queue.fall()
            self.leader?.isRedoing = true
        }
        try nextTransaction()
    }

    private mutating func announce() {
        guard let leader else { return }
        let row = leader.changes.compactMap { store.writersRow(commits[$0.commit].key) }.first
        let generation = ledger.announce(row)
        self.leader?.announced = generation
        if fault == .noticeBeforeCommit { deliverNotices(of: generation) }
    }

    private mutating func refuseCommit() throws {
        guard let leader, let generation = leader.announced else { return }
        store.rollBack()
        self.leader?.transaction?.rollBack()
        ledger.abandon(generation)
        for (commit, _) in leader.changes { commits[commit].result = .failed }
        try nextTransaction()
    }

    /// Begins to tell the cache, or tells it of the next change, or that there are no more.
    private mutating func publishCache() throws {
        guard let leader, let generation = leader.announced else { return }
        guard let told = leader.toldChanges else {
            cache.beginPublishing(at: generation)
            if fault == .cacheEndsEarly { cache.endPublishing() }
            self.leader?.toldChanges = 0
            return
        }
        if told < leader.changes.count {
            cache.publishPart { tell in tell(leader.changes[told].change) }
            self.leader?.toldChanges = told + 1
            return
        }
        cache.endPublishing()
        self.leader?.isCacheTold = true
        if leader.isPublished { try nextTransaction() }
    }

    private mutating func publish() throws {
        guard let leader, let generation = leader.announced else { return }
        if fault != .noticeBeforeCommit { deliverNotices(of: generation) }
        ledger.publish(generation)
        for (commit, _) in leader.changes { commits[commit].result = .succeeded(generation) }
        self.leader?.isPublished = true
        if leader.isCacheTold { try nextTransaction() }
    }

    private mutating func deliverNotices(of generation: Generation) {
        let keys = Set(leader?.changes.map { commits[$0.commit].key } ?? [])
        let notice = SimulatedNotice(generation: generation, keys: keys)
        // The number of a commit that failed comes again; a glue with the fault has used it up.
        if fault == .noticeBeforeCommit && notices.end >= generation { return }
        notices.append(notice, at: generation)
        for number in contexts.indices where contexts[number].isEntered { contexts[number].isTurnScheduled = true }
    }

    /// After a transaction: the next member of a fallen batch, or nothing but to finish.
    private mutating func nextTransaction() throws {
        leader?.transaction = nil
        guard leader?.isRedoing == true, let member = queue.beginAlone() else { return }
        guard let commit = commits.firstIndex(where: { $0.member == member }) else { return }
        // What it had come to in the batch is undone.
        commits[commit].result = nil
        begin([commit])
    }

    private mutating func finish() throws {
        guard let leader else { return }
        self.leader = nil
        let wakeups = queue.finish()
        let hasFollowers = !wakeups.followers.isEmpty
        for follower in wakeups.followers {
            if let commit = commits.firstIndex(where: { $0.member == follower }) { calls.append(.end(commit: commit)) }
        }
        if let next = wakeups.nextLeader, !(fault == .lostWakeUp && hasFollowers),
            let commit = commits.firstIndex(where: { $0.member == next })
        {
            calls.append(.lead(commit: commit))
        }
        try deliver(.end(commit: leader.commit))
    }

    mutating func deliver(_ call: Call) throws {
        switch call {
        case .lead(let commit):
            try promise(leader == nil, 5, "commit \(commit) leads beside another")
            leader = SimulatedLeader(commit: commit)
        case .end(let commit):
            guard let result = commits[commit].result else {
                throw BrokenPromise(4, "commit \(commit) is woken without an outcome")
            }
            try end(commit, result)
        }
    }
}
