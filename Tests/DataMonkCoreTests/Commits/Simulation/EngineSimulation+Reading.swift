import DataMonkCore

extension EngineSimulation {
    func appendReadingSteps(of number: Int, to steps: inout [Step]) {
        let context = contexts[number]
        guard context.isEntered else { return steps.append(.enter(number)) }
        // Which key is a matter of the moment, not a choice of its own: most steps are to be the interesting ones.
        let key = (Int(ledger.published.rawValue) + commits.count + context.requested) % Self.keys.count
        switch context.reader {
        case .none:
            steps.append(.stamp(number))
            if context.isTurnScheduled { steps.append(.turn(number)) }
            if context.bodies.isEmpty && number == 2 { steps.append(.leave(number)) }
        case .stamped: steps.append(.openSnapshot(number))
        case .opened: steps.append(.locate(number))
        case .located(let generation):
            if generation <= ledger.published { steps.append(.advance(number)) }
            steps.append(.read(number, key: key))
        case .standing:
            steps.append(.read(number, key: key))
            steps.append(.read(number, key: (key + 3) % Self.keys.count))
            steps.append(.closeSnapshot(number))
        }
        steps.append(.touch(number, key: key))
    }

    mutating func performReading(_ step: Step) throws {
        switch step {
        case .enter(let number):
            ledger.enter(contexts[number].id, at: ledger.published)
            contexts[number].isEntered = true
        case .leave(let number):
            ledger.leave(contexts[number].id)
            contexts[number].isEntered = false
            contexts[number].registered = [:]
            contexts[number].isTurnScheduled = false
        case .turn(let number):
            contexts[number].isTurnScheduled = false
            try advance(number, to: ledger.published)
        case .touch(let number, let key): try touch(number, key)
        case .stamp(let number): contexts[number].reader = .stamped(ledger.stamp)
        case .openSnapshot(let number):
            guard case .stamped(let stamp) = contexts[number].reader else { return }
            contexts[number].reader = .opened(stamp, generation: store.visible)
        case .locate(let number): try locate(number)
        case .advance(let number):
            guard case .located(let generation) = contexts[number].reader else { return }
            try advance(number, to: generation)
            contexts[number].reader = .standing(generation)
        case .read(let number, let key): try read(number, key)
        case .closeSnapshot(let number): contexts[number].reader = .none
        default: break
        }
    }

    private mutating func locate(_ number: Int) throws {
        guard case .opened(let before, let truth) = contexts[number].reader else { return }
        let candidates = ledger.candidates(openedBetween: before, and: ledger.stamp)
        let found = candidates.resolve { store.row($0.key, at: truth) == $0 }
        guard let found else { return contexts[number].reader = .none }
        try promise(found.rawValue == truth, 3, "a snapshot of \(truth) was taken for one of \(found.rawValue)")
        contexts[number].reader = .located(found)
    }

    private mutating func read(_ number: Int, _ key: Int) throws {
        let generation: Generation
        switch contexts[number].reader {
        case .standing(let found): generation = found
        // A reader without a standing: its generation may be in flight still.
        case .located(let found): generation = found
        default: return
        }
        try checkCache(key, at: generation)
        guard let row = store.row(key, at: Int(generation.rawValue)) else { return }
        if case .standing = contexts[number].reader { contexts[number].registered[key] = row }
        let readAt = fault == .cacheTakesOldRow ? ledger.published : generation
        cache.put(row, for: objectKey(key), readAt: readAt)
    }

    private mutating func touch(_ number: Int, _ key: Int) throws {
        if contexts[number].registered[key] != nil { return }  // `check` looks at these
        if let row = try checkCache(key, at: standing(of: number)) { contexts[number].registered[key] = row }
    }

    /// What the cache says, which has to be true.
    @discardableResult
    private mutating func checkCache(_ key: Int, at generation: Generation) throws -> SimulatedRow? {
        let truth = store.row(key, at: Int(generation.rawValue))
        switch cache.lookUp(objectKey(key), at: generation) {
        case .row(let row):
            try promise(row == truth, 1, "\(row) seen at \(generation.rawValue), where it is \(truth as Any)")
            return row
        case .deleted: try promise(truth == nil, 1, "key \(key) seen deleted at \(generation.rawValue)")
        case .unknown: break
        }
        return nil
    }

    private mutating func advance(_ number: Int, to generation: Generation) throws {
        let old = try standing(of: number)
        let taken = notices.notices(after: old, through: generation)
        contexts[number].isTurnScheduled = ledger.published > generation
        ledger.advance(contexts[number].id, to: generation)
        guard let taken else { return contexts[number].registered = [:] }
        let told = taken.map(\.generation.rawValue)
        let expected = Array(old.rawValue + 1..<generation.rawValue + 1)
        try promise(told == expected, 2, "told of \(told), should be told of \(expected)")
        for notice in taken {
            if notice.isForeign {
                contexts[number].registered = [:]
                continue
            }
            let truth = store.states[Int(notice.generation.rawValue)].changedKeys
            try promise(notice.keys == truth, 2, "told of \(notice.keys), changed were \(truth)")
            for key in notice.keys { contexts[number].registered[key] = nil }
        }
    }

    func standing(of number: Int) throws -> Generation {
        guard let standing = ledger.standing(of: contexts[number].id) else {
            throw BrokenPromise(1, "context \(number) stands nowhere")
        }
        return standing
    }

    func objectKey(_ key: Int) -> ObjectKey { ObjectKey(store: 0, entity: 0, primaryKey: Int64(key + 1)) }
}
