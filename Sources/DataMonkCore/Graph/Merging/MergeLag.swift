/// **Value.** The way in which a context is behind the commits of others.
package enum MergeLag: Hashable, Sendable {
    /// It does not follow commits.
    case unfollowing
    /// A number of transactions that it does not show.
    case commits(Int)
    /// It shows what was committed, but observers have not been told.
    case notices
}

extension ManagedObjectContext {
    /// Returns the way in which the context is behind a generation of the stores, or `nil` if it shows the generation, and its
    /// observers and those of its descendants have been told.
    package func lag(behind target: Generation) -> MergeLag? {
        if !followsCommits { return .unfollowing }
        if stores.generation < target { return .commits(Int(target.rawValue - stores.generation.rawValue)) }
        return hasUntoldChanges ? .notices : nil
    }

    /// A Boolean value indicating whether changes from elsewhere wait for the end of a turn.
    private var hasUntoldChanges: Bool {
        if let journal, journal.isObserved, !journal.externalChanges.isEmpty { return true }
        var isBehind = false
        if !children.isEmpty { forEachFollowingChild { isBehind = isBehind || $0.hasUntoldChanges } }
        return isBehind
    }
}
