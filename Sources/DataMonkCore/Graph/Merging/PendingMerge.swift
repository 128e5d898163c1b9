import DequeModule

/// **Confined.** The changes that a context has yet to merge to show the generation at which it stands.
///
///     nothing --move--> steps --merge--> nothing
///                       ^   |
///                       +---+ slice full
///
/// Every call of a context makes it merge everything first. Only the main context has a pending merge, and only between
/// two turns, so the work of a merge in one turn is bounded, whatever a commit has changed. A refresh is merged as a
/// whole.
struct PendingMerge {
    enum Step {
        /// Everything may have changed.
        case refresh
        case commit(CommitNotice.Commit)

        /// The maximum number of objects that change, and of changes that are examined. A refresh counts as 0: it is
        /// never split, because objects of two generations would then exist side by side, and it only creates faults.
        var size: Int {
            guard case .commit(let commit) = self else { return 0 }
            let changes = commit.changes
            let named = changes.batch.map { $0.updated.count + $0.followers.count + $0.deleted.count + 1 } ?? 0
            return changes.inserted.count + changes.updated.count + changes.consequences.count + named
                + 2 * (changes.deleted.count + changes.links.count + commit.touchedRelations.count) + 1
        }
    }

    private var steps: Deque<Step> = []
    /// The progress of the first step's merge.
    var position = MergeCursor()

    /// Creates a pending merge of the notices, except for the context's own commits; of everything if notices have been
    /// released.
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
        position = MergeCursor()
    }

    /// Returns this pending merge with a later one appended.
    func followed(by later: PendingMerge) -> PendingMerge {
        var whole = self
        whole.steps.append(contentsOf: later.steps)
        return whole
    }
}

/// **Confined.** The progress of a step's merge.
struct MergeCursor {
    /// The next part, and the next element of it.
    var part = 0
    var index = 0

    /// Indicates whether some of the step has been merged.
    var isInside: Bool { part > 0 || index > 0 }
}

/// **Value.** The amount that is merged in one turn.
struct MergeSlice {
    /// The number of objects that may change.
    private let limit: Int
    /// The number of changes that may be examined. Most of them may be of objects that the context does not have.
    private let lookLimit: Int
    var looks = 0

    /// A slice without limits.
    static var unlimited: MergeSlice { MergeSlice(.max, lookLimit: .max) }

    init(_ limit: Int) { self.init(limit, lookLimit: 32 * limit) }

    private init(_ limit: Int, lookLimit: Int) {
        self.limit = limit
        self.lookLimit = lookLimit
    }

    /// Returns `true` if a step may begin. A step that fits into a slice begins where it need not be split; other steps
    /// begin at the start of a slice.
    func hasRoom(for step: PendingMerge.Step, _ touched: Int) -> Bool {
        if case .refresh = step { return true }
        if touched == 0, looks == 0 { return true }
        let size = step.size
        return size <= limit - touched && 2 * size <= lookLimit - looks
    }

    func isFull(_ touched: Int) -> Bool { touched >= limit || looks >= lookLimit }
}

@available(*, unavailable)
extension PendingMerge: Sendable {}

@available(*, unavailable)
extension MergeCursor: Sendable {}
