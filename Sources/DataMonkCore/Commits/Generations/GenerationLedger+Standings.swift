/// **Value.** The number of contexts that stand at a generation.
struct StandingLevel: Hashable, Sendable {
    let generation: Generation
    var count: Int
}

extension GenerationLedger {
    /// Records that the context begins to stand at `generation`.
    package mutating func enter(_ context: ContextID, at generation: Generation) {
        precondition(generation <= published, "A context cannot enter at a commit that is not published")  // 3
        let old = standings.updateValue(generation, forKey: context)
        precondition(old == nil, "The context has entered already")
        add(generation)
    }

    /// Records that the context advances to `generation`, which may be the one where it already stands.
    package mutating func advance(_ context: ContextID, to generation: Generation) {
        precondition(generation <= published, "A context cannot advance to a commit that is not published")  // 3
        guard let old = standings.updateValue(generation, forKey: context) else {
            preconditionFailure("The context has not entered")
        }
        precondition(generation >= old, "A context never moves to an earlier generation")
        guard generation > old else { return }
        remove(old)
        add(generation)
    }

    /// Records that the context needs no generation any more.
    package mutating func leave(_ context: ContextID) {
        guard let old = standings.removeValue(forKey: context) else {
            preconditionFailure("The context has not entered")
        }
        remove(old)
    }

    /// Returns the generation at which the context stands, or `nil` if it has not entered.
    package func standing(of context: ContextID) -> Generation? { standings[context] }

    /// The oldest generation at which a context stands, or the last published one if there are no contexts.
    package var oldestStanding: Generation { levels.first?.generation ?? published }

    // Contexts stand at few different generations, nearly all at the newest one: a short sorted array is faster than a
    // heap.

    private mutating func add(_ generation: Generation) {
        let index = firstLevel(notBefore: generation)
        if index < levels.count, levels[index].generation == generation {
            levels[index].count += 1
        } else {
            levels.insert(StandingLevel(generation: generation, count: 1), at: index)
        }
    }

    private mutating func remove(_ generation: Generation) {
        let index = firstLevel(notBefore: generation)
        levels[index].count -= 1
        if levels[index].count == 0 { levels.remove(at: index) }  // 4
    }

    private func firstLevel(notBefore generation: Generation) -> Int {
        var low = 0
        var high = levels.count
        while low < high {
            let middle = (low + high) / 2
            if levels[middle].generation < generation { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
