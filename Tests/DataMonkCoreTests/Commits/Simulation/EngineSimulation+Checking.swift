import DataMonkCore

extension EngineSimulation {
    func checkStore() throws {
        let announced = ledger.stamp.inFlight ?? ledger.published
        let isAnnounced = store.visible == ledger.published.rawValue || store.visible == announced.rawValue
        try promise(isAnnounced, 6, "generation \(store.visible) is visible, announced was \(announced.rawValue)")
    }

    func checkPromises(to number: Int) throws {
        guard contexts[number].isEntered else { return }
        try checkRegistered(number)
        let told = notices.end.rawValue
        let isInDoubt = leader?.machine?.isOfUnknownChanges == true
        try promise(told <= store.visible || isInDoubt, 2, "told of \(told), which is not committed")
        let isUpToDate = try standing(of: number) == ledger.published
        try promise(isUpToDate || contexts[number].isTurnScheduled, 2, "nothing tells context \(number) to take over")
        var bodiesIn = 0
        for body in contexts[number].bodies where body.isIn { bodiesIn += 1 }
        try promise(bodiesIn <= 1, 5, "\(bodiesIn) bodies are in at once in context \(number)")
    }

    private func checkRegistered(_ number: Int) throws {
        // A fetch has read rows at its snapshot's generation only after the context has advanced to it.
        let standing = Int(try standing(of: number).rawValue)
        for (key, row) in contexts[number].registered {
            let truth = store.row(key, at: standing)
            try promise(row == truth, 1, "\(row) shown at \(standing), where it is \(truth as Any)")
        }
    }

    mutating func settle() throws {
        for _ in 0..<1_000 {
            guard let step = progress() else { return try checkAtRest() }
            try perform(step)
            try check()
        }
        throw BrokenPromise(4, "the system does not come to rest")
    }

    /// A step that brings something to its end, and begins nothing.
    private func progress() -> Step? {
        if !calls.isEmpty { return .deliverCall(0) }
        if let leader {
            var steps: [Step] = []
            appendSteps(of: leader, to: &steps)
            return steps.first
        }
        for (number, context) in contexts.enumerated() where context.isEntered {
            switch context.reader {
            case .none: if context.isTurnScheduled { return .turn(number) }
            case .stamped: return .openSnapshot(number)
            case .opened: return .locate(number)
            case .located: return .advance(number)
            case .standing: return .closeSnapshot(number)
            }
            if let running = context.running {
                return context.bodies[running].isNested ? .unnest(number) : .endBody(number)
            }
            if let body = context.bodies.first(where: { $0.state == .suspended }) {
                return .resumeBody(number, body: body.number)
            }
        }
        return nil
    }

    private func checkAtRest() throws {
        for (number, commit) in commits.enumerated() {
            let generations = store.states.indices.filter { store.states[$0].writers.contains(number) }
            switch commit.outcome {
            case nil: throw BrokenPromise(4, "commit \(number) never ends")
            case .succeeded(let generation):
                let isThere = generations == [Int(generation.rawValue)]
                try promise(isThere, 4, "commit \(number) ended in \(generation.rawValue), is in \(generations)")
            case .unknown: try promise(generations.count <= 1, 4, "commit \(number) is in \(generations)")
            case .failed, .cancelled:
                try promise(generations.isEmpty, 4, "commit \(number) did not succeed, but is in \(generations)")
            }
        }
        for (number, context) in contexts.enumerated() {
            try promise(context.bodies.isEmpty, 5, "bodies of context \(number) never end")
            guard context.isEntered else { continue }
            let standing = try standing(of: number)
            try promise(standing == ledger.published, 2, "context \(number) is left behind at \(standing.rawValue)")
        }
    }
}
