/// **Value.** The commits of other processes in a snapshot, as far as the store's observer has been told of them.
package enum ForeignCommitStatus: Sendable {
    /// The observer knows of all that the snapshot shows.
    case told
    /// A transaction of this process is being committed. The observer knows of all that the snapshot shows if it does not
    /// show that transaction.
    case toldBeforeCommit
    /// The observer could not be told: open another snapshot.
    case untold
}

/// Called when a store finds that another process has committed.
///
/// Returns what is to be called when the store holds no lock any more; `nil` if the observer cannot take the news now.
///
/// - Parameter isCommitting: whether a transaction of this process has found it, at its beginning.
package typealias ForeignCommitObserver = @Sendable (_ isCommitting: Bool) -> (@Sendable () -> Void)?
