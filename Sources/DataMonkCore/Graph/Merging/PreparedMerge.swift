/// **Confined.** The merge of a large commit by a context that has little time a turn: the objects and their new rows are
/// looked up in several turns, and exchanged in one.
///
///     preparing --a turn--> preparing ... --last turn--> ready
///     preparing, ready --the context moves past the commit--> shown --next turn--> released
///
/// Until then the context stands before the commit. The preparation changes no object and decides nothing: an object that
/// has got another row, unsaved changes or a deletion since is merged as if nothing had been prepared.
///
/// A class, so that its arrays are changed in place.
final class PreparedMerge {
    /// The notice of the next generation.
    let notice: CommitNotice
    /// Indicates whether the context has moved past the commit. What is kept is then released in a later turn.
    var isShown = false
    private var parts: [PreparedCommit]

    /// - Parameter id: The context, whose own commits are not merged.
    init(_ notice: CommitNotice, for id: ContextID) {
        self.notice = notice
        parts = notice.commits.filter { $0.origin != id }.map(PreparedCommit.init)
    }

    var isReady: Bool { parts.allSatisfy(\.isReady) }

    /// Examines up to `limit` changes.
    func prepare(_ limit: Int, in identities: IdentityMap) {
        var room = limit
        for index in parts.indices where room > 0 { parts[index].prepare(&room, in: identities) }
    }

    /// Returns the preparation of a commit, or `nil` if it is not part of this one.
    func part(of commit: CommitNotice.Commit) -> PreparedCommit? { parts.first { $0.commit === commit } }
}

@available(*, unavailable)
extension PreparedMerge: Sendable {}
