import DequeModule

/// **Confined.** What a context has still to take over of the generation that it stands at.
///
///     nothing --move--> steps --merge--> nothing
///                       ^   |
///                       +---+ slice full
///
/// Whoever calls the context has it take over everything first. The main context alone has something left, and only
/// between two turns: so what merges in one of them is bounded, whatever a commit has changed. A
/// refresh is taken over as a whole.
struct MergeRest {
    enum Step {
        /// Everything may have changed.
        case refresh
        case commit(CommitNotice.Commit)

        /// At most so many objects change, and so many changes are looked at. A refresh counts nothing: it is never cut, or
        /// objects of two states would stand beside each other, and it only makes faults.
        var size: Int {
            guard case .commit(let commit) = self else { return 0 }
            let changes = commit.changes
            let named = changes.batch.map { $0.updated.count + $0.followers.count + $0.deleted.count + 1 } ?? 0
            return changes.inserted.count + changes.updated.count + changes.consequences.count + named
                + 2 * (changes.deleted.count + changes.links.count + commit.touchedRelations.count) + 1
        }
    }

    private var steps: Deque<Step> = []
    /// How far the first step is taken over.
    var position = MergePosition()

    /// What the notices tell, but for the context's own commits; everything if they are no longer there.
    init(_ notices: [CommitNotice]?, except own: ContextID) {
        if notices == nil { steps.append(.refresh) }
        for notice in notices ?? [] {
            if notice.isForeign { steps.append(.refresh) }
            for commit in notice.commits where commit.origin != own { steps.append(.commit(commit)) }
        }
    }

    var isEmpty: Bool { steps.isEmpty }
    var first: Step? { steps.first }

    mutating func removeFirst() {
        steps.removeFirst()
        position = MergePosition()
    }

    /// With what came later behind it.
    func followed(by later: MergeRest) -> MergeRest {
        var whole = self
        whole.steps.append(contentsOf: later.steps)
        return whole
    }
}

/// **Confined.** How far a step is taken over.
struct MergePosition {
    /// Which part is next, and which element of it.
    var part = 0
    var index = 0

    /// Whether some of the step is taken over.
    var isInside: Bool { part > 0 || index > 0 }
}

/// **Value.** How much is taken over in one turn.
struct MergeSlice {
    /// How many objects may change.
    private let limit: Int
    /// How many changes may be looked at: most may concern objects that the context does not have.
    private let lookLimit: Int
    var looks = 0

    /// Everything at once.
    static var unlimited: MergeSlice { MergeSlice(.max, lookLimit: .max) }

    init(_ limit: Int) { self.init(limit, lookLimit: 32 * limit) }

    private init(_ limit: Int, lookLimit: Int) {
        self.limit = limit
        self.lookLimit = lookLimit
    }

    /// Whether a step may begin: one that fits into a slice does so where it is not cut, others at the beginning of one.
    func hasRoom(for step: MergeRest.Step, _ touched: Int) -> Bool {
        if case .refresh = step { return true }
        if touched == 0, looks == 0 { return true }
        let size = step.size
        return size <= limit - touched && 2 * size <= lookLimit - looks
    }

    func isFull(_ touched: Int) -> Bool { touched >= limit || looks >= lookLimit }
}

@available(*, unavailable)
extension MergeRest: Sendable {}

@available(*, unavailable)
extension MergePosition: Sendable {}
