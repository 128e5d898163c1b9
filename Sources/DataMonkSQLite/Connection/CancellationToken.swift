import Synchronization

/// **Shared.** Stops the reads of one call: see ``SQLiteConnection/cancellable(by:_:)``.
///
/// Anyone may cancel, at any time, once and for all. The reader looks every thousand steps of SQLite's machine, some
/// ten microseconds, so a cancelled read ends soon but not at once.
package final class CancellationToken: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    package func cancel() { flag.store(true, ordering: .relaxed) }
}
