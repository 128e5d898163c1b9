/// **Value.** The state of notifying a store's observer of the other processes' commits that a snapshot contains.
package enum ForeignCommitStatus: Sendable {
    /// The observer was notified of everything in the snapshot.
    case told
    /// A transaction of this process is being committed. If the snapshot does not contain that transaction, the observer was
    /// notified of everything in the snapshot.
    case toldBeforeCommit
    /// The observer could not be notified: open another snapshot.
    case untold
}

/// Called when a store finds that another process has committed.
///
/// Returns a closure to call once the store holds no lock, or `nil` if the observer cannot accept the notification now.
///
/// - Parameter isCommitting: Whether a transaction of this process found the commit, as it began.
package typealias ForeignCommitObserver = @Sendable (_ isCommitting: Bool) -> (@Sendable () -> Void)?
