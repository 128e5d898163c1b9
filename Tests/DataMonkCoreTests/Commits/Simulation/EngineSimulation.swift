import DataMonkCore
import DataMonkTesting

/// **Value.** The engine's coordination without the engine: three contexts over a simulated store, made of nothing but
/// the state machines and the glue between them. A commit takes the steps that `StoreCommit` determines, as in the engine.
///
/// Each step is what one thread does without letting another one in. What is promised from end to end:
///
/// 1. A context sees the rows of the generation it stands at, of no other.
/// 2. A context is told of every commit between two standings, in order, or to refresh everything; of no other commit.
/// 3. A snapshot's generation is the one found for it.
/// 4. Every commit ends exactly once; it is in the store if it succeeded, and only then, unless the store did not answer.
/// 5. Commits are taken, and bodies let in, in the order in which they came; a body runs alone in its context.
/// 6. The store shows no generation that the ledger has not announced.
struct EngineSimulation: EnumeratedSimulation {
    var store = SimulatedStore()
    var ledger = GenerationLedger<SimulatedRow>(recentCommits: 3)
    var cache = RowCache<SimulatedRow>(capacity: 3)
    var notices = NoticeRun<SimulatedNotice>(capacity: 2)
    var queue = CommitQueueState(batchLimit: 2)
    var contexts: [SimulatedContext]
    var leader: SimulatedLeader?
    /// Wake-ups on their way to blocked threads.
    var calls: [Call] = []
    var commits: [SimulatedCommit] = []
    /// The context whose step was the last one; nil after a step that may have touched several.
    var touched: Int?
    let fault: PlantedFault?

    static let keys = 0..<5

    init(fault: PlantedFault? = nil) {
        self.fault = fault
        contexts = (0..<3).map { SimulatedContext(id: ContextID(rawValue: $0)) }
    }

    /// A fault of the glue, which the exploration has to find.
    enum PlantedFault: CaseIterable {
        /// Rows are put in as if they had been read at the newest generation.
        case cacheTakesOldRow
        /// The cache is told the end of a commit before its changes.
        case cacheEndsEarly
        /// Notices are delivered when the commit is announced.
        case noticeBeforeCommit
        /// A leader with followers wakes them and forgets who leads next.
        case lostWakeUp
        /// A body lets the next one in while it awaits.
        case orderBrokenAtAwait
        /// A failed member's savepoint is rolled back, released, and released.
        case savepointReleasedTwice
        /// A commit without an answer counts as rolled back.
        case lostAnswerTakenForFailure
    }

    /// What one thread does next. The first number is the context's.
    enum Step: Hashable {
        case enter(Int), leave(Int), turn(Int), touch(Int, key: Int)
        case stamp(Int), openSnapshot(Int), locate(Int), advance(Int), read(Int, key: Int), closeSnapshot(Int)
        case request(Int), cancelRequest(Int), awaitInBody(Int), resumeBody(Int, body: Int), nest(Int), unnest(Int)
        case commit(Int, key: Int, SimulatedCommit.Kind), cancelCommit(Int), endBody(Int)
        case deliverCall(Int)
        case take, writeMember, failMember, fall, commitStore, refuseCommit, failCommit, loseAnswer(isCommitted: Bool)
        /// Any other step of the leader's commit.
        case proceed
        case finish
        case commitElsewhere(key: Int)
        case prune, emptyCache

        /// The only context that the step touches, if there is one.
        var context: Int? {
            switch self {
            case .enter(let number), .leave(let number), .turn(let number), .touch(let number, _), .stamp(let number),
                .openSnapshot(let number), .locate(let number), .advance(let number), .read(let number, _),
                .closeSnapshot(let number), .request(let number), .cancelRequest(let number),
                .awaitInBody(let number), .resumeBody(let number, _), .nest(let number), .unnest(let number),
                .commit(let number, _, _), .cancelCommit(let number), .endBody(let number):
                number
            default: nil
            }
        }
    }

    enum Call: Hashable {
        case lead(commit: Int)
        case end(commit: Int)
    }

    func enabledSteps() -> [Step] {
        var steps: [Step] = [.prune]
        for number in contexts.indices {
            appendReadingSteps(of: number, to: &steps)
            appendBodySteps(of: number, to: &steps)
        }
        for index in calls.indices { steps.append(.deliverCall(index)) }
        if let leader { appendSteps(of: leader, to: &steps) }
        if ledger.published.rawValue % 4 == 3 { steps.append(.emptyCache) }
        appendForeignStep(to: &steps)
        return steps
    }

    mutating func perform(_ step: Step) throws {
        touched = step.context
        switch step {
        case .enter, .leave, .turn, .touch, .stamp, .openSnapshot, .locate, .advance, .read, .closeSnapshot:
            try performReading(step)
        case .request, .cancelRequest, .awaitInBody, .resumeBody, .nest, .unnest, .commit, .cancelCommit, .endBody:
            try performBody(step)
        case .deliverCall(let index): try deliver(calls.remove(at: index))
        case .take, .writeMember, .failMember, .fall, .commitStore, .refuseCommit, .failCommit, .loseAnswer, .proceed,
            .finish:
            try performLeading(step)
        case .commitElsewhere(let key): commitElsewhere(key)
        case .prune:
            cache.prune(oldestStanding: ledger.oldestStanding)
            notices.release(through: ledger.oldestStanding)
        case .emptyCache: cache.removeAll()
        }
    }

    /// All invariants and promises; of the machines of one context only when a step has touched it, for the others
    /// are values that have not changed.
    func check() throws {
        try ledger.checkInvariants()
        try cache.checkInvariants()
        try notices.checkInvariants()
        try queue.checkInvariants()
        try leader?.machine?.checkInvariants()
        for number in contexts.indices where touched == nil || touched == number {
            try contexts[number].gate.checkInvariants()
            try checkPromises(to: number)
        }
        try checkStore()
    }
}

/// **Value.** A promise of the engine that was broken.
struct BrokenPromise: Error, CustomStringConvertible {
    let number: Int
    let description: String

    init(_ number: Int, _ finding: String) {
        self.number = number
        description = "promise \(number): \(finding)"
    }
}

extension EngineSimulation {
    func promise(_ condition: Bool, _ number: Int, _ finding: @autoclosure () -> String) throws {
        if !condition { throw BrokenPromise(number, finding()) }
    }
}
