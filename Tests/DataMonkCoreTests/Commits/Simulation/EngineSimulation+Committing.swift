import DataMonkCore

extension EngineSimulation {
    /// Steps of the leader are offered several times: it takes ten of them to make a generation.
    func appendSteps(of leader: SimulatedLeader, to steps: inout [Step]) {
        func offer(_ step: Step, _ times: Int = 8) {
            for _ in 0..<times { steps.append(step) }
        }
        guard let machine = leader.machine else { return offer(leader.batch.isEmpty ? .take : .finish) }
        switch machine.next {
        case .write:
            offer(.writeMember)
            offer(.failMember, 1)
            offer(.fall, 1)
        case .commit:
            offer(.commitStore)
            offer(.refuseCommit, 1)
            offer(.failCommit, 1)
            offer(.loseAnswer(isCommitted: commits.count % 2 == 0), 1)
        default: offer(.proceed)
        }
    }

    mutating func performLeading(_ step: Step) throws {
        switch step {
        case .take: try take()
        case .writeMember: writeMember(keep: true)
        case .failMember: failMember()
        case .fall:
            leader?.machine?.beginMember()
            store.rollBack()
            leader?.machine?.fail(SimulatedFailure(), leaving: .nothing)
        case .commitStore:
            store.commit()
            leader?.machine?.didCommit()
        case .refuseCommit: leader?.machine?.fail(SimulatedFailure(), leaving: .transaction)
        case .failCommit:
            store.rollBack()
            leader?.machine?.fail(SimulatedFailure(), leaving: .nothing)
        case .loseAnswer(let isCommitted):
            if isCommitted { store.commit() } else { store.rollBack() }
            let isTakenForFailure = fault == .lostAnswerTakenForFailure
            leader?.machine?.fail(SimulatedFailure(), leaving: isTakenForFailure ? .transaction : .unknown)
        case .proceed: try proceed()
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
        leader?.machine = StoreCommit(memberCount: carried.count, partSize: 1)
        leader?.changes = []
        store.begin()
    }

    private mutating func writeMember(keep: Bool) {
        guard let leader, case .write(let position) = leader.machine?.next else { return }
        let number = leader.carried[position]
        let commit = commits[number]
        self.leader?.machine?.beginMember()
        store.openSavepoint()
        let before = store.writersRow(commit.key)
        let after = store.write(commit.key, delete: commit.kind == .delete, by: number)
        guard keep else { return }
        store.releaseSavepoint()
        self.leader?.machine?.keep()
        let outcome: RowChange<SimulatedRow>.Outcome
        switch (commit.kind, after) {
        case (.update, let row?): outcome = .row(row)
        case (.delete, _): outcome = .deleted
        default: outcome = .unseen
        }
        // Some committers know what they overwrite, some do not.
        let preimage = number % 2 == 0 ? before : nil
        let change = RowChange(objectKey(commit.key), outcome: outcome, preimage: preimage)
        self.leader?.changes.append((number, change))
    }

    private mutating func failMember() {
        guard let leader, case .write(let position) = leader.machine?.next else { return }
        writeMember(keep: false)
        store.rollBackToSavepoint()
        store.releaseSavepoint()
        if fault == .savepointReleasedTwice { store.releaseSavepoint() }
        self.leader?.machine?.undo()
        commits[leader.carried[position]].result = .failed
    }

    private mutating func proceed() throws {
        guard let changes = leader?.changes, let machine = leader?.machine, let step = machine.next else { return }
        switch step {
        case .write, .commit: break
        case .announce:
            let row = changes.compactMap { store.writersRow(commits[$0.commit].key) }.first
            leader?.machine?.announce(row, stores: 1, in: &ledger)
            if fault == .noticeBeforeCommit { note() }
        case .rollBack:
            store.rollBack()
            leader?.machine?.rollBack(in: &ledger)
        case .note:
            if fault != .noticeBeforeCommit { note() }
            leader?.machine?.note(rowCount: machine.isOfUnknownChanges ? 0 : changes.count)
        case .addRows(let part):
            leader?.machine?.addRows(to: &cache) { tell in for (_, change) in changes[part] { tell(change) } }
            if fault == .cacheEndsEarly && part.isEmpty { cache.endPublishing() }
        case .publish:
            if machine.isOfUnknownChanges && store.visible == ledger.published.rawValue { store.commitNothing() }
            leader?.machine?.publish(in: &ledger)
            ring()
        }
        if leader?.machine?.next == nil { try endTransaction() }
    }

    private mutating func note() {
        guard let leader, let machine = leader.machine, let generation = machine.generation else { return }
        let keys = Set(leader.changes.map { commits[$0.commit].key })
        // The number of a commit that failed comes again; a glue with the fault has used it up.
        if fault == .noticeBeforeCommit && notices.end >= generation { return }
        notices.append(
            SimulatedNotice(generation: generation, keys: keys, isForeign: machine.isOfUnknownChanges), at: generation)
    }

    private mutating func ring() {
        for number in contexts.indices where contexts[number].isEntered { contexts[number].isTurnScheduled = true }
    }

    /// If the transaction no longer stood, its members run alone; one that was alone has failed.
    private mutating func endTransaction() throws {
        guard let leader, let machine = leader.machine else { return }
        if machine.hasFallen && !leader.isRedoing {
            queue.fall()
            self.leader?.isRedoing = true
            return try nextTransaction()
        }
        let result: SimulatedCommit.Outcome =
            switch machine.outcome {
            case .committed(let generation): .succeeded(generation)
            case .unknown: .unknown
            case .failed, nil: .failed
            }
        let members = machine.hasFallen ? leader.carried : leader.changes.map(\.commit)
        for commit in members { commits[commit].result = result }
        try nextTransaction()
    }

    /// After a transaction: the next member of a fallen batch, or nothing but to finish.
    private mutating func nextTransaction() throws {
        leader?.machine = nil
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

extension EngineSimulation {
    /// Another process commits while no transaction of this one is open, and is noticed at once.
    func appendForeignStep(to steps: inout [Step]) {
        if store.isInTransaction || ledger.stamp.inFlight != nil || cache.isPublishing { return }
        if ledger.published.rawValue % 5 == 2 { steps.append(.commitElsewhere(key: commits.count % Self.keys.count)) }
    }

    mutating func commitElsewhere(_ key: Int) {
        _ = store.write(key, delete: key == 0, by: -1)
        var machine = StoreCommit(memberCount: 0)
        while let step = machine.next {
            switch step {
            case .announce: machine.announce(nil, in: &ledger)
            case .note:
                let notice = SimulatedNotice(generation: ledger.published.next, keys: [], isForeign: true)
                notices.append(notice, at: notice.generation)
                machine.note(rowCount: 0)
            case .addRows: machine.addRows(to: &cache) { _ in }
            case .publish: machine.publish(in: &ledger)
            case .write, .commit, .rollBack: return
            }
        }
        ring()
    }
}

/// **Value.** An error of the simulated store.
struct SimulatedFailure: Error {}
