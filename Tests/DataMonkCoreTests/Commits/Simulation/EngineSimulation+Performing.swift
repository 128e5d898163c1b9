import DataMonkCore

extension EngineSimulation {
    func appendBodySteps(of number: Int, to steps: inout [Step]) {
        let context = contexts[number]
        guard context.isEntered else { return }
        if context.bodies.count < 2 { steps.append(.request(number)) }
        for body in context.bodies {
            switch body.state {
            case .queued: if body.number % 3 == 0 { steps.append(.cancelRequest(number)) }
            case .running: break
            case .suspended: steps.append(.resumeBody(number, body: body.number))
            case .committing(let commit):
                if commits[commit].outcome == nil && commit % 5 == 0 { steps.append(.cancelCommit(number)) }
            }
        }
        guard let running = context.running else { return }
        let body = context.bodies[running]
        steps.append(body.isNested ? .unnest(number) : .nest(number))
        steps.append(.awaitInBody(number))
        if body.commitCount < 2 {
            let key = (commits.count + number) % Self.keys.count
            let kinds: [SimulatedCommit.Kind] = [.update, .update, .delete, .unseenUpdate]
            let kind = kinds[(commits.count + body.number) % kinds.count]
            for _ in 0..<2 { steps.append(.commit(number, key: key, kind)) }
            steps.append(.commit(number, key: (key + 2) % Self.keys.count, .update))
        }
        if !body.isNested { steps.append(.endBody(number)) }
    }

    mutating func performBody(_ step: Step) throws {
        switch step {
        case .request(let number):
            let (ticket, entry) = contexts[number].gate.request()
            contexts[number].requested += 1
            let body = SimulatedContext.Body(number: contexts[number].requested, ticket: ticket, state: .queued)
            contexts[number].bodies.append(body)
            if entry == .granted { try letIn(ticket, number) }
        case .cancelRequest(let number):
            let index = contexts[number].bodies.firstIndex { $0.state == .queued && $0.number % 3 == 0 }
            guard let index else { return }
            if contexts[number].gate.cancel(contexts[number].bodies[index].ticket) == .left {
                contexts[number].bodies.remove(at: index)
            }
        case .awaitInBody(let number):
            guard let running = contexts[number].running else { return }
            contexts[number].bodies[running].state = .suspended
            let body = contexts[number].bodies[running]
            if fault == .orderBrokenAtAwait && !body.isNested { try release(body.ticket, number) }
        case .resumeBody(let number, let body): setState(of: body, in: number, .running)
        case .nest(let number), .unnest(let number): try nest(number)
        case .commit(let number, let key, let kind): enqueueCommit(number, key, kind)
        case .cancelCommit(let number): try cancelCommit(number)
        case .endBody(let number):
            guard let running = contexts[number].running else { return }
            let body = contexts[number].bodies.remove(at: running)
            if contexts[number].gate.holder == body.ticket { _ = contexts[number].gate.close(body.ticket) }
            try release(body.ticket, number)
        default: break
        }
    }

    private mutating func nest(_ number: Int) throws {
        guard let running = contexts[number].running else { return }
        let body = contexts[number].bodies[running]
        if fault == .orderBrokenAtAwait && contexts[number].gate.holder != body.ticket { return }
        if body.isNested { try release(body.ticket, number) } else { contexts[number].gate.reenter(body.ticket) }
        contexts[number].bodies[running].isNested.toggle()
    }

    private mutating func release(_ ticket: SerialOrder.Ticket, _ number: Int) throws {
        if fault == .orderBrokenAtAwait && contexts[number].gate.holder != ticket { return }
        if let next = contexts[number].gate.release(ticket) { try letIn(next, number) }
    }

    private mutating func letIn(_ ticket: SerialOrder.Ticket, _ number: Int) throws {
        guard let index = contexts[number].bodies.firstIndex(where: { $0.ticket == ticket }) else { return }
        let body = contexts[number].bodies[index].number
        try promise(body > contexts[number].lastIn, 5, "body \(body) let in after \(contexts[number].lastIn)")
        contexts[number].lastIn = body
        contexts[number].bodies[index].state = .running
    }

    private mutating func setState(of body: Int, in number: Int, _ state: SimulatedContext.Body.State) {
        guard let index = contexts[number].bodies.firstIndex(where: { $0.number == body }) else { return }
        contexts[number].bodies[index].state = state
    }

    private mutating func enqueueCommit(_ number: Int, _ key: Int, _ kind: SimulatedCommit.Kind) {
        guard let running = contexts[number].running else { return }
        let (member, role) = queue.enqueue()
        let commit = commits.count
        commits.append(SimulatedCommit(member: member, context: number, key: key, kind: kind))
        contexts[number].bodies[running].state = .committing(commit)
        contexts[number].bodies[running].commitCount += 1
        if role == .lead { leader = SimulatedLeader(commit: commit) }
    }

    private mutating func cancelCommit(_ number: Int) throws {
        for body in contexts[number].bodies {
            guard case .committing(let commit) = body.state, commit % 5 == 0 else { continue }
            if queue.cancel(commits[commit].member) == .left { try end(commit, .cancelled) }
        }
    }

    /// The commit's thread goes on.
    mutating func end(_ commit: Int, _ outcome: SimulatedCommit.Outcome) throws {
        let number = commits[commit].context
        try promise(commits[commit].outcome == nil, 4, "commit \(commit) ends twice")
        commits[commit].outcome = outcome
        guard let index = contexts[number].bodies.firstIndex(where: { $0.state == .committing(commit) }) else {
            throw BrokenPromise(4, "nobody waits for commit \(commit)")
        }
        contexts[number].bodies[index].state = .running
    }
}
