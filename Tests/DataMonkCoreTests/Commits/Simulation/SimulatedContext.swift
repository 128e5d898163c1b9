import DataMonkCore

/// **Value.** A context of the simulation: what it has registered, its bell, its reader and its update bodies.
struct SimulatedContext {
    let id: ContextID
    /// Rows it has seen and holds, of the generation it stands at.
    var registered: [Int: SimulatedRow] = [:]
    /// Whether it stands somewhere.
    var isEntered = false
    /// Whether its bell has been rung and it has not taken everything in since.
    var isTurnScheduled = false
    var reader = Reader.none

    var gate = SerialOrder()
    /// Bodies that were requested and have not ended.
    var bodies: [Body] = []
    var requested = 0
    /// The last body that was let in.
    var lastIn = 0

    /// How far a fetch is.
    enum Reader {
        case none
        case stamped(GenerationStamp)
        case opened(GenerationStamp, generation: Int)
        /// The generation is known; it may be in flight still.
        case located(Generation)
        /// The context stands where its snapshot does.
        case standing(Generation)
    }

    struct Body {
        let number: Int
        let ticket: SerialOrder.Ticket
        var state: State
        var isNested = false
        var commitCount = 0

        enum State: Hashable {
            case queued, running, suspended
            case committing(Int)
        }

        var isIn: Bool { state != .queued }
    }

    /// Position of the body that runs, if one does.
    var running: Int? { bodies.firstIndex { $0.state == .running } }
}

/// **Value.** What a commit tells the contexts.
struct SimulatedNotice: Sendable {
    let generation: Generation
    let keys: Set<Int>
    /// Whether anything else may have changed.
    let isForeign: Bool
}

/// **Value.** One commit and what became of it.
struct SimulatedCommit {
    enum Kind: Hashable { case update, delete, unseenUpdate }

    enum Outcome: Hashable {
        case succeeded(Generation)
        case failed, cancelled
        /// The store has not answered.
        case unknown
    }

    let member: CommitQueueState.MemberID
    let context: Int
    let key: Int
    let kind: Kind
    var isTaken = false
    /// What its transaction made of it, before its thread knows.
    var result: Outcome?
    /// What its thread was told.
    var outcome: Outcome?
}

/// **Value.** The thread that leads the commit queue.
struct SimulatedLeader {
    let commit: Int
    /// The batch, once taken.
    var batch: [Int] = []
    /// What the transaction at work carries: the batch, or one of it alone.
    var carried: [Int] = []
    var machine: StoreCommit?
    var isRedoing = false
    /// What the transaction has changed and kept, by commit.
    var changes: [(commit: Int, change: RowChange<SimulatedRow>)] = []
}
